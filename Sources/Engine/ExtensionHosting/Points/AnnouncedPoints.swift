public import ExtensionProtocol
import Files
import JSONSchema
package import PropertyList

/// The points that property lists announce, beside those that the program was built with.
public struct AnnouncedPoints: Sendable {
  /// What a program was built with: nothing that is announced can take its place, or reach further.
  public struct Known: Sendable {
    let points: ExtensionPointTable
    let contracts: [any ServiceContract.Type]

    /// The points and the services of the program.
    public init(points: ExtensionPointTable, contracts: [any ServiceContract.Type]) {
      self.points = points
      self.contracts = contracts
    }

    /// The names that are taken: of points, of services, and of the wire's own messages.
    var names: Set<String> {
      Set(points.all.flatMap { [$0.shortName, $0.prefix] } + contracts.map { $0.name })
        .union(["initialize", "initialized", "terminate", "permissions", "wire", "host", "extension"])
    }

    /// The row that decides about a method, or about all of a service.
    func row(of method: String) -> Allowlist.Row? {
      guard contracts.contains(where: { method.hasPrefix("\($0.name)/") }) else { return nil }
      let rows = Allowlist(contracts.flatMap { $0.access }).rows(for: method)
      return rows.first { $0.points == nil } ?? rows.first
    }
  }

  /// The points that can be used, in the order of their identifiers; none is of a point that the program was built with.
  public private(set) var points: [AnnouncedPoint] = []
  /// What is wrong with the files, each with file, key path and line. A file with an error announces nothing.
  public private(set) var problems: [ManifestProblem] = []

  /// Creates an empty list.
  public init() {}

  /// Reads all files in some folders; those that are not there are left out.
  ///
  /// - Parameters:
  ///   - folders: where `*.appextensionpoint` lie.
  ///   - known: what the program was built with.
  public init(in folders: [String], beside known: Known) {
    for folder in folders {
      for name in Folder.names(in: folder, endingIn: AnnouncedPoint.fileEnding) { read("\(folder)/\(name)", known) }
    }
    points.sort { $0.definition.point.rawValue < $1.definition.point.rawValue }
  }

  /// Reads one file.
  ///
  /// - Parameter known: what the program was built with.
  public init(file: String, beside known: Known) { read(file, known) }

  /// Takes what a property list has.
  package init(_ node: PropertyListNode, file: String, beside known: Known) { read(node, file: file, known) }

  /// The program's points and those that are announced.
  public func table(with known: ExtensionPointTable) -> ExtensionPointTable { known.adding(points.map(\.definition)) }

  /// The announced point with an identifier.
  public subscript(point: ExtensionPoint) -> AnnouncedPoint? { points.first { $0.definition.point == point } }

  private mutating func read(_ file: String, _ known: Known) {
    switch PropertyListReader.read(file) {
    case .problems(let found): problems += found
    case .value(let node): read(node, file: file, known)
    }
  }

  /// Takes what a property list has.
  ///
  /// - Parameter file: what the problems call it.
  mutating func read(_ node: PropertyListNode, file: String, _ known: Known) {
    guard case .dictionary(let entries) = node.content, !entries.isEmpty, entries.count <= 100 else {
      return problems.append(
        ManifestProblem(
          .error, file: file, line: node.line, "The file is not a dictionary of extension points.",
          recovery: "Write one with “host points export”."))
    }
    for entry in entries {
      var reader = AnnouncedPointReader(entry.key, in: node, file: file, known: known)
      let point = reader.point()
      problems += reader.reader.problems
      guard let point else { continue }
      if known.points.contains(point.definition.point) {
        compare(point, node, file, known)
      } else {
        add(point, node, file)
      }
    }
  }

  private mutating func add(_ point: AnnouncedPoint, _ node: PropertyListNode, _ file: String) {
    let new = point.definition
    let other = points.first { known in
      let old = known.definition
      return old.point == new.point || old.shortName == new.shortName || old.prefix == new.prefix
    }
    guard let other else { return points.append(point) }
    let path = PropertyListKeyPath(new.point.rawValue)
    problems.append(
      ManifestProblem(
        .error, file: file, line: node.line(nearest: path), keyPath: path.description,
        "The point has an identifier, a name or a prefix of \(other.definition.point.rawValue), which "
          + "\(other.file ?? "another file") announces.", recovery: "Remove one of the two files, or rename the point.")
    )
  }

  /// The compiled definition counts; a file that says otherwise is out of date.
  private mutating func compare(_ point: AnnouncedPoint, _ node: PropertyListNode, _ file: String, _ known: Known) {
    let definition = known.points.definition(of: point.definition.point)
    guard let compiled = try? AnnouncedPoint(compiled: definition, contracts: known.contracts) else { return }
    let base = PropertyListKeyPath(definition.point.rawValue, "Annex")
    for (path, what) in compiled.differences(from: point) {
      let place = PropertyListKeyPath(base.components + path.map { .key($0) })
      problems.append(
        ManifestProblem(
          .warning, file: file, line: node.line(nearest: place), keyPath: place.description,
          "\(what) is not as in the definition that this program was built with, which counts.",
          recovery: "Write the file anew with “host points export”."))
    }
  }
}

extension AnnouncedPoint {
  /// What a file says otherwise than this definition: the keys, and what it is in words.
  func differences(from file: AnnouncedPoint) -> [(path: [String], what: String)] {
    var found: [(path: [String], what: String)] = []
    if definition.version != file.definition.version { found.append((["Version"], "The version")) }
    if definition.shortName != file.definition.shortName { found.append((["Name"], "The name")) }
    if definition.prefix != file.definition.prefix { found.append((["Prefix"], "The prefix")) }
    for method in Set((schemas.methods + file.schemas.methods).map(\.method)).sorted() {
      guard let ours = schemas[method], let theirs = file.schemas[method] else {
        found.append((["Methods", method], "The method \(method)"))
        continue
      }
      let isSame =
        ours.caller == theirs.caller && ours.params.json == theirs.params.json
        && ours.result?.json == theirs.result?.json && ours.since == theirs.since
      if !isSame { found.append((["Methods", method], "The method \(method)")) }
    }
    let names = Set(schemas.definitions.named.keys).union(file.schemas.definitions.named.keys)
    for name in names.sorted() where schemas.definitions[name]?.json != file.schemas.definitions[name]?.json {
      found.append((["Definitions", name], "The schema \(name)"))
    }
    return found
  }
}
