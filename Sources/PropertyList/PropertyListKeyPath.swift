/// The place of a value in a property list: `NSExtension.NSExtensionAttributes`, `CFBundleURLTypes[2].CFBundleURLName`.
package struct PropertyListKeyPath: Sendable, Hashable {
  /// One step of a path.
  package enum Component: Sendable, Hashable {
    case key(String)
    case index(Int)
  }

  /// The steps from the root.
  package let components: [Component]

  /// The root itself.
  package static let root = PropertyListKeyPath([Component]())

  package init(_ components: [Component]) { self.components = components }

  /// A path of keys.
  package init(_ keys: String...) { components = keys.map { .key($0) } }

  /// The path to a key below.
  package func appending(_ key: String) -> PropertyListKeyPath { PropertyListKeyPath(components + [.key(key)]) }
  /// The path to an element below.
  package func appending(_ index: Int) -> PropertyListKeyPath { PropertyListKeyPath(components + [.index(index)]) }
}

extension PropertyListKeyPath: CustomStringConvertible {
  /// Keys joined by dots; a key that has a dot or a bracket itself is put into brackets and quotes.
  package var description: String {
    var text = ""
    for component in components {
      switch component {
      case .index(let index): text += "[\(index)]"
      case .key(let key) where key.isEmpty || key.contains(where: { ".[]\"".contains($0) }): text += "[\"\(key)\"]"
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      }
    }
    return text
  }
}
