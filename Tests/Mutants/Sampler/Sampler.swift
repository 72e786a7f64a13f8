import Foundation

/// What `Scripts/mutants-sample` has of Swift: finds places, writes the faults into a tree, and reads what became of them.
@main
struct Sampler {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    switch (words.first, words.count) {
    case ("choose", 4...): try choose(words[1], count: words[2], seed: words[3], modules: Array(words.dropFirst(4)))
    case ("show", 2): show(words[1])
    case ("write", 4): try write(places(words[3]), from: words[1], into: words[2])
    case ("drop", 3): drop(places(words[1]), log: words[2])
    case ("keep", 3): for place in places(words[1]).prefix(Int(words[2]) ?? 0) { print(place.row) }
    case ("suites", 2): for filter in SuiteRecord.filters(in: text(words[1])) { print(filter) }
    case ("plan", 5...6):
      let wanted = words.count == 6 ? Set(text(words[5]).split(separator: "\n").compactMap { Int($0) }) : nil
      try plan(words[1], root: words[2], records: words[3], into: words[4], only: wanted)
    case ("report", 5): report(words[1], root: words[2], plans: words[3], outcomes: words[4])
    default:
      FileHandle.standardError.write(Data("usage: sampler show|choose|write|drop|keep|suites|plan|report …\n".utf8))
      exit(64)
    }
  }

  private static func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

  private static func places(_ path: String) -> [Place] {
    text(path).split(separator: "\n").compactMap { Place(row: $0) }
  }

  /// Prints all places of one file.
  private static func show(_ path: String) {
    let found = PlaceFinder.places(in: text(path), path: path)
    for place in found.sorted(by: { ($0.range.lowerBound, $0.kind.rawValue) < ($1.range.lowerBound, $1.kind.rawValue) })
    {
      let change = place.mutant.isEmpty ? "(removed)" : Place.escaped(place.mutant)
      print("\(place.lines.lowerBound)\t\(place.kind.rawValue)\t\(Place.escaped(place.original))\t\(change)")
    }
  }

  /// Prints places of the sources below a root.
  private static func choose(_ root: String, count: String, seed: String, modules: [String]) throws {
    let guarded = Report(root: root, tables: "\(root)/Tests/Mutants").guarding.map(\.path)
    let wanted = modules.flatMap { $0 == "guarding" ? guarded : [$0] }
    let files = Sampling.files(below: root).filter { Sampling.isSampled($0, modules: wanted) }
    let found = files.flatMap { path in
      PlaceFinder.places(in: text("\(root)/\(path)"), path: path)
    }
    for place in Sampling.choose(Int(count) ?? 0, of: found, seed: UInt64(seed) ?? 1) { print(place.row) }
  }

  /// Writes the changed files into a tree; those without a place become as they were.
  private static func write(_ places: [Place], from root: String, into tree: String) throws {
    let count = places.map(\.id).max() ?? 0
    let ofFiles = Dictionary(grouping: places, by: \.path)
    let files = Sampling.files(below: root)
    for path in Set(Sampling.files(below: tree)).subtracting(files) {
      try FileManager.default.removeItem(atPath: "\(tree)/\(path)")
    }
    for path in files {
      let original = text("\(root)/\(path)")
      let new = ofFiles[path].map { MutantSwitch.text(of: original, with: $0, count: count) } ?? original
      if text("\(tree)/\(path)") == new { continue }
      let folder = "\(tree)/\(path)".split(separator: "/", omittingEmptySubsequences: false).dropLast()
      try FileManager.default.createDirectory(atPath: folder.joined(separator: "/"), withIntermediateDirectories: true)
      try new.write(toFile: "\(tree)/\(path)", atomically: false, encoding: .utf8)
    }
  }

  /// Prints the places without those that the compiler takes exception to: those on a line that it names, or, where no
  /// place of the file is on one, all of the file.
  private static func drop(_ places: [Place], log: String) {
    var lines: [String: Set<Int>] = [:]
    for line in text(log).split(separator: "\n") where line.contains("error:") {
      let parts = line.split(separator: ":", maxSplits: 3)
      guard parts.count == 4, let start = parts[0].range(of: "Sources/", options: .backwards),
        let number = Int(parts[1])
      else { continue }
      lines[String(parts[0][start.lowerBound...]), default: []].insert(number)
    }
    for place in places {
      guard let named = lines[place.path] else {
        print(place.row)
        continue
      }
      let hasOne = places.contains { $0.path == place.path && !named.isDisjoint(with: $0.lines) }
      if hasOne, named.isDisjoint(with: place.lines) { print(place.row) }
    }
  }

  /// Writes a file for each place that is to be tried: its processes, a line each. Prints the numbers.
  ///
  /// - Parameter wanted: the numbers of those that are tried; nil for all.
  private static func plan(
    _ table: String, root: String, records: String, into folder: String, only wanted: Set<Int>?
  ) throws {
    let report = Report(root: root, tables: "\(root)/Tests/Mutants")
    let suites = SuiteRecord.read(records)
    for suite in suites where !suite.passes {
      FileHandle.standardError.write(Data("mutants: \(suite.filter) fails without a fault, and is left out.\n".utf8))
    }
    for place in places(table) where report.equivalents.reason(of: place) == nil && wanted?.contains(place.id) != false
    {
      let rows = SuiteRecord.plan(suites, for: place)
      guard !rows.isEmpty else { continue }
      try (rows.joined(separator: "\n") + "\n").write(
        toFile: "\(folder)/\(place.id).plan", atomically: false, encoding: .utf8)
      print(place.id)
    }
  }

  private static func report(_ table: String, root: String, plans: String, outcomes: String) {
    let places = places(table)
    var ends: [Int: String] = [:]
    for place in places { ends[place.id] = text("\(outcomes)/\(place.id).outcome") }
    let unreached = places.map(\.id).filter { !FileManager.default.fileExists(atPath: "\(plans)/\($0).plan") }
    Report(root: root, tables: "\(root)/Tests/Mutants").print(places, outcomes: ends, unreached: Set(unreached))
  }
}
