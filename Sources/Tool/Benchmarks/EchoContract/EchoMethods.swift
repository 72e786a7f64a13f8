import ExtensionProtocol

/// `echo/objects`: many small objects, decoded and encoded anew at both ends through `Codable`.
package struct EchoObjects: RemoteMethod {
  package typealias Result = EchoObjects
  package static let method = "echo/objects"

  /// One object of a message.
  package struct Item: Codable, Sendable, Equatable {
    package var id: Int
    package var name: String
    package var value: Double
    package var ok: Bool
    package var tags: [String]

    package init(id: Int, name: String, value: Double, ok: Bool, tags: [String]) {
      self.id = id
      self.name = name
      self.value = value
      self.ok = ok
      self.tags = tags
    }
  }

  package var items: [Item]
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

/// `echo/text`: the extension answers with the text that it got.
package struct EchoText: RemoteMethod {
  package typealias Result = EchoText
  package static let method = "echo/text"

  package var text: String
  package init(text: String) { self.text = text }
}
