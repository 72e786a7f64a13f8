package import ExtensionProtocol
package import JSON

/// `echo/objects`: many small objects, decoded and encoded anew at both ends by their shapes.
package struct EchoObjects: RemoteMethod, JSONShaped {
  /// The extension answers with the objects.
  package typealias Result = EchoObjects
  /// The wire name; the host calls it.
  package static let method = "echo/objects"

  /// One object of a message.
  package struct Item: JSONShaped, Sendable, Equatable {
    /// A number.
    package var id: Int
    /// A short text.
    package var name: String
    /// A fraction.
    package var value: Double
    /// A Boolean.
    package var ok: Bool
    /// A list of short texts.
    package var tags: [String]

    package static let jsonShape = JSONShape<Item>(
      JSONMember("id", \.id), JSONMember("name", \.name), JSONMember("value", \.value), JSONMember("ok", \.ok),
      JSONMember("tags", \.tags))

    /// Creates an object.
    package init(id: Int, name: String, value: Double, ok: Bool, tags: [String]) {
      self.id = id
      self.name = name
      self.value = value
      self.ok = ok
      self.tags = tags
    }
  }

  /// The objects.
  package var items: [Item]
  package static let jsonShape = JSONShape<EchoObjects>(JSONMember("items", \.items))
  /// Creates a message of these objects.
  package init(items: [Item]) { self.items = items }

  /// As many items as fit into a number of bytes of compact JSON.
  package static func filling(_ bytes: Int) -> EchoObjects {
    let first = Item(id: 0, name: "item-000000", value: 0.25, ok: true, tags: ["alpha", "beta"])
    var items: [Item] = []
    var length = #"{"items":[]}"#.utf8.count
    while true {
      let id = String(items.count)
      let name = "item-" + String(repeating: "0", count: max(0, 6 - id.utf8.count)) + id
      length +=
        #"{"id":,"name":"item-000000","value":0.25,"ok":true,"tags":["alpha","beta"]},"#.utf8.count + id.utf8.count
      if length > bytes { return EchoObjects(items: items) }
      var item = first
      item.id = items.count
      item.name = name
      items.append(item)
    }
  }
}

/// `echo/codableObjects`: the objects of ``EchoObjects``, decoded and encoded anew at both ends through `Codable`.
package struct EchoCodableObjects: RemoteMethod {
  /// The extension answers with the objects.
  package typealias Result = EchoCodableObjects
  /// The wire name; the host calls it.
  package static let method = "echo/codableObjects"

  /// One object of a message.
  package struct Item: Codable, Sendable, Equatable {
    /// A number.
    package var id: Int
    /// A short text.
    package var name: String
    /// A fraction.
    package var value: Double
    /// A Boolean.
    package var ok: Bool
    /// A list of short texts.
    package var tags: [String]

    /// Creates an object.
    package init(id: Int, name: String, value: Double, ok: Bool, tags: [String]) {
      self.id = id
      self.name = name
      self.value = value
      self.ok = ok
      self.tags = tags
    }
  }

  /// The objects.
  package var items: [Item]
  /// The same objects.
  package init(_ objects: EchoObjects) {
    items = objects.items.map { Item(id: $0.id, name: $0.name, value: $0.value, ok: $0.ok, tags: $0.tags) }
  }
}

/// `echo/text`: the extension answers with the text that it got.
package struct EchoText: RemoteMethod {
  /// The extension answers with the text.
  package typealias Result = EchoText
  /// The wire name; the host calls it.
  package static let method = "echo/text"

  /// The text.
  package var text: String
  /// Creates a message of this text.
  package init(text: String) { self.text = text }
}

/// The extension point of the benchmark's extension: with the ceilings of a widget.
package enum EchoPoint: PointContract {
  package static let definition = ExtensionPointDefinition(
    ExtensionPoint("com.example.benchmarks.echo"), shortName: "echo", role: "an echo", plural: "the echoes",
    calls: [
      .request(EchoText.self), .request(EchoObjects.self), .request(EchoCodableObjects.self),
      .request(EchoMeasure.self),
    ],
    limits: ExtensionLimits(memoryMiB: 32), reuse: .reuse)
}
