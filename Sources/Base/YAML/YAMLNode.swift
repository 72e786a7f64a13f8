import Text

/// A value of a YAML file, and where it stands.
package struct YAMLNode: Sendable {
  /// What it is.
  package let kind: Kind
  /// Where the value begins.
  package let place: YAMLPlace
  /// How many values it holds at any depth, itself included: each use of an alias counts anew.
  let count: Int
  /// How many levels of sequences and mappings it has, itself included.
  let height: Int

  /// The kinds of value.
  package enum Kind: Sendable {
    /// A text, and whether it is written without quotes, so that it may mean a number, a truth or nothing.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    /// The entries in their order, each key once.
    case mapping([YAMLEntry])
  }
}

/// A key of a mapping and its value.
package struct YAMLEntry: Sendable {
  /// The key.
  package let key: String
  /// Where the key begins.
  package let place: YAMLPlace
  /// The value of the key.
  package let value: YAMLNode
}

/// A place in a file, for people: line and column begin at 1, columns count characters.
package struct YAMLPlace: Sendable, Hashable {
  /// The line, from 1.
  package let line: Int
  /// The column in characters, from 1.
  package let column: Int

  /// Creates a place; line and column begin at 1.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension YAMLNode {
  /// Whether it says that there is no value: `null`, `~`, or nothing at all.
  package var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = kind else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(text)
  }

  /// The text of a scalar that is not null.
  package var text: String? {
    guard case .scalar(let text, _) = kind, !isNull else { return nil }
    return text
  }

  /// What a scalar without quotes says with `true` or `false`.
  package var boolean: Bool? {
    guard case .scalar(let text, isPlain: true) = kind else { return nil }
    switch text {
    case "true", "True", "TRUE": return true
    case "false", "False", "FALSE": return false
    default: return nil
    }
  }

  /// The elements of a sequence.
  package var elements: [YAMLNode]? { if case .sequence(let elements) = kind { elements } else { nil } }

  /// The entries of a mapping.
  package var entries: [YAMLEntry]? { if case .mapping(let entries) = kind { entries } else { nil } }

  /// The value of a key of a mapping.
  package subscript(key: String) -> YAMLNode? { entries?.first { $0.key.hasBytes(of: key) }?.value }
}
