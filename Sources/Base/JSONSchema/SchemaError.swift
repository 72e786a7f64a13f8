/// What is wrong with a schema, and where.
public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The way to it: `properties.page.type`.
  public let path: SchemaPath
  /// What is wrong, one sentence.
  public let message: String
  /// What its author can do.
  public let recovery: String

  init(_ path: SchemaPath, _ message: String, recovery: String = "Use the part of JSON Schema that this host knows.") {
    self.path = path
    self.message = message
    self.recovery = recovery
  }

  /// The path and the sentence.
  public var description: String { path.isRoot ? message : "\(path): \(message)" }
}

/// The place of a value in another one: `items[2].title`.
public struct SchemaPath: Sendable, Hashable, CustomStringConvertible {
  /// The steps in words, the first first.
  private let steps: [String]

  /// The path of the outermost value.
  public static let root = SchemaPath(steps: [])

  private init(steps: [String]) { self.steps = steps }

  /// A path that begins with a name: `params`.
  public init(_ name: String) { steps = [name] }

  /// Whether this is the value itself.
  public var isRoot: Bool { steps.isEmpty }

  /// The path to a member.
  public func appending(_ name: String) -> SchemaPath {
    let isPlain = !name.isEmpty && name.utf8.count <= 80 && !name.contains { ".[]\"".contains($0) }
    return SchemaPath(steps: steps + [isPlain ? ".\(name)" : "[\"\(name.prefix(80))\"]"])
  }

  /// The path to an element.
  public func appending(_ index: Int) -> SchemaPath { SchemaPath(steps: steps + ["[\(index)]"]) }

  /// The path as text.
  public var description: String {
    let text = steps.joined()
    return text.hasPrefix(".") ? String(text.dropFirst()) : text
  }
}
