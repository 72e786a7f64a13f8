public import PropertyList
import Text

/// Reads typed values from a manifest and collects every problem.
///
/// A value of another type than the requested one is a problem, and is treated as absent.
public struct ManifestReader {
  let root: PropertyListNode
  let file: String?
  /// The problems so far, in the order in which they were found.
  public private(set) var problems: [ManifestProblem] = []

  /// Creates a reader for a property list; `file` is the name for problems.
  package init(root: PropertyListNode, file: String?) {
    self.root = root
    self.file = file
  }

  // MARK: Problems

  /// Reports an error, which keeps the extension from being used.
  ///
  /// - Parameters:
  ///   - path: the place; the problem names the nearest line.
  ///   - message: what is wrong, in one sentence.
  ///   - recovery: what the author can do about it, in one sentence.
  public mutating func fail(_ path: PropertyListKeyPath, _ message: String, _ recovery: String) {
    add(.error, path, message, recovery)
  }

  /// Reports a warning; the parameters are those of ``fail(_:_:_:)``.
  public mutating func warn(_ path: PropertyListKeyPath, _ message: String, _ recovery: String) {
    add(.warning, path, message, recovery)
  }

  private mutating func add(
    _ severity: ManifestProblem.Severity, _ path: PropertyListKeyPath, _ message: String, _ recovery: String
  ) {
    problems.append(
      ManifestProblem(
        severity, file: file, line: root.line(nearest: path), keyPath: path.description, message, recovery: recovery))
  }

  /// Puts problems first that make others needless: what a setting stands for cannot be wrong yet.
  mutating func put(_ first: [ManifestProblem], inPlaceOfThoseAt paths: Set<String>) {
    guard !first.isEmpty else { return }
    problems = first + problems.filter { !paths.contains($0.keyPath) }
  }

  // MARK: Values

  /// The value at a path, of whatever type.
  public func value(_ path: PropertyListKeyPath) -> PropertyListValue? { root.node(at: path)?.value }

  /// The value at a path when it has the type that `take` takes; a value of another type is a problem.
  private mutating func value<T>(
    _ path: PropertyListKeyPath, _ type: String, _ take: (PropertyListValue) -> T?
  ) -> T? {
    guard let value = root.node(at: path)?.value else { return nil }
    if let taken = take(value) { return taken }
    fail(path, "The value is of type \(value.typeName), not \(type).", "Make it a value of type \(type).")
    return nil
  }

  /// A string that is not empty.
  public mutating func string(_ path: PropertyListKeyPath) -> String? {
    guard let text = value(path, "string", \.stringValue) else { return nil }
    if text.isEmpty {
      fail(path, "The string is empty.", "Give it a value, or leave the key out.")
      return nil
    }
    return text
  }

  /// A string that has to be there.
  /// When the dictionary has a key of nearly the same name, the problem is at that key.
  public mutating func required(_ path: PropertyListKeyPath, _ recovery: String) -> String? {
    guard root.node(at: path) == nil else { return string(path) }
    if let written = misspelling(of: path), case .key(let name)? = path.components.last {
      fail(written, "The key is not known, and \(name) is missing. Did you mean \(name)?", "Rename the key to \(name).")
    } else {
      fail(path, "The key is missing.", recovery)
    }
    return nil
  }

  /// The path of a key beside a missing one whose name is nearly the same, and that no table has; `nil` for none.
  package func misspelling(of path: PropertyListKeyPath) -> PropertyListKeyPath? {
    guard case .key(let name)? = path.components.last else { return nil }
    let parent = PropertyListKeyPath(Array(path.components.dropLast()))
    guard case .dictionary(let entries)? = root.node(at: parent)?.content else { return nil }
    let others = entries.prefix(1_000).map(\.key).filter { !ManifestTable.names.contains($0) }
    return nearMisses(of: name, in: others).first.map { parent.appending($0) }
  }

  /// A Boolean; the integers 0 and 1 are none.
  public mutating func bool(_ path: PropertyListKeyPath) -> Bool? { value(path, "bool", \.boolValue) }
  /// Returns a whole number, or nil.
  public mutating func integer(_ path: PropertyListKeyPath) -> Int64? { value(path, "integer", \.integerValue) }
  /// Returns a dictionary, or nil.
  public mutating func dictionary(_ path: PropertyListKeyPath) -> [String: PropertyListValue]? {
    value(path, "dictionary", \.dictionaryValue)
  }

  /// The indices of an array; empty when there is none.
  public mutating func indices(_ path: PropertyListKeyPath) -> Range<Int> {
    0..<(value(path, "array", \.arrayValue)?.count ?? 0)
  }

  /// The strings of an array; elements of other types are problems and are left out.
  public mutating func strings(_ path: PropertyListKeyPath) -> [String] {
    indices(path).compactMap { string(path.appending($0)) }
  }

  /// One string or an array of strings.
  public mutating func stringOrStrings(_ path: PropertyListKeyPath) -> [String] {
    guard case .scalar = root.node(at: path)?.content else { return strings(path) }
    return string(path).map { [$0] } ?? []
  }

  /// A whole number above 0; one that is written as a string is read, with a warning.
  public mutating func positive(_ path: PropertyListKeyPath) -> Int? {
    var number: Int64?
    if let text = value(path)?.stringValue, let written = Int64(text) {
      warn(path, "The number is written as a string.", "Write <integer>\(written)</integer>.")
      number = written
    } else {
      number = integer(path)
    }
    guard let number else { return nil }
    guard number > 0, let value = Int(exactly: number), value <= 1 << 30 else {
      fail(path, "\(number) is out of range.", "Give a whole number from 1 to \(1 << 30).")
      return nil
    }
    return value
  }

  /// A list of uniform type identifiers.
  mutating func checkTypeIdentifiers(_ path: PropertyListKeyPath) {
    for index in indices(path) {
      guard let name = string(path.appending(index)), !ManifestNames.isIdentifier(name) else { continue }
      fail(
        path.appending(index), "“\(name)” is not a type identifier.",
        "Name a uniform type, such as public.text or com.example.note.")
    }
  }
}
