import PropertyList

/// The value of a part of a predicate.
enum PredicateValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([PredicateValue])
  case object(Object)

  /// Something with keys: the root, an item, an attachment, a dictionary.
  struct Object: Sendable, Hashable {
    /// What it is called in explanations: `item 1`, `attachment 2 (public.jpeg)`; empty for others.
    let name: String
    let members: [String: PredicateValue]
  }

  /// A number; a Boolean is 1 or 0.
  var number: Double? {
    switch self {
    case .number(let number): number
    case .bool(let value): value ? 1 : 0
    case .null, .string, .array, .object: nil
    }
  }

  var string: String? { if case .string(let string) = self { string } else { nil } }

  /// Returns the value of a key. An array returns the values of its elements, as in key-value coding; a value without
  /// the key returns `null`.
  func value(forKey key: String) -> PredicateValue {
    switch self {
    case .object(let object): object.members[key] ?? .null
    case .array(let elements): .array(elements.map { $0.value(forKey: key) })
    case .null, .bool, .number, .string: .null
    }
  }

  /// How explanations show it.
  var shown: String {
    switch self {
    case .null: "nil"
    case .bool(let value): value ? "true" : "false"
    case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .string(let text): "\"\(text.prefix(80))\""
    case .array(let elements):
      elements.isEmpty ? "nothing" : elements.prefix(8).map(\.shown).joined(separator: ", ")
    case .object(let object): object.name.isEmpty ? "an object" : object.name
    }
  }
}

extension PredicateValue {
  /// The root object of an activation rule.
  init(_ items: [ActivationItem]) {
    var index = 0
    var objects: [PredicateValue] = []
    for (position, item) in items.enumerated() {
      let attachments = item.attachments.map { attachment -> PredicateValue in
        index += 1
        let types = attachment.registeredTypeIdentifiers
        let shown = types.isEmpty ? "no type" : types.joined(separator: ", ")
        return .object(
          Object(
            name: "attachment \(index) (\(shown))",
            members: ["registeredTypeIdentifiers": .array(types.map { .string($0) })]))
      }
      objects.append(
        .object(
          Object(
            name: "item \(position + 1)",
            members: [
              "attachments": .array(attachments),
              "attributedTitle": item.title.map { .string($0) } ?? .null,
              "attributedContentText": item.contentText.map { .string($0) } ?? .null,
              "userInfo": .object(Object(name: "", members: item.userInfo.mapValues { PredicateValue($0) })),
            ])))
    }
    self = .object(Object(name: "the items", members: ["extensionItems": .array(objects)]))
  }
}

extension PredicateValue {
  /// A value of `userInfo`. Dates and data cannot be compared and count as `null`.
  init(_ value: PropertyListValue) {
    if let text = value.stringValue {
      self = .string(text)
    } else if let flag = value.boolValue {
      self = .bool(flag)
    } else if let number = value.integerValue {
      self = .number(Double(number))
    } else if case .real(let number) = value {
      self = .number(number)
    } else if let elements = value.arrayValue {
      self = .array(elements.map { PredicateValue($0) })
    } else if let members = value.dictionaryValue {
      self = .object(Object(name: "", members: members.mapValues { PredicateValue($0) }))
    } else {
      self = .null
    }
  }
}
