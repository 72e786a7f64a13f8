/// The place of a value in a property list: `NSExtension.NSExtensionAttributes`, `CFBundleURLTypes[2].CFBundleURLName`.
public struct PropertyListKeyPath: Sendable, Hashable {
  /// One step of a path.
  public enum Component: Sendable, Hashable {
    /// A key of a dictionary.
    case key(String)
    /// An element of an array, from 0.
    case index(Int)
  }

  /// The steps from the root.
  public let components: [Component]

  /// The root itself.
  public static let root = PropertyListKeyPath([Component]())

  /// A path of steps.
  public init(_ components: [Component]) { self.components = components }

  /// A path of keys.
  public init(_ keys: String...) { components = keys.map { .key($0) } }

  /// The path to a key below.
  public func appending(_ key: String) -> PropertyListKeyPath { PropertyListKeyPath(components + [.key(key)]) }
  /// The path to an element below.
  public func appending(_ index: Int) -> PropertyListKeyPath { PropertyListKeyPath(components + [.index(index)]) }
}

extension PropertyListKeyPath: CustomStringConvertible {
  /// Keys joined by dots; a key that has a dot or a bracket itself is put into brackets and quotes.
  public var description: String {
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
