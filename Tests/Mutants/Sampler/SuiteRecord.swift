import Foundation

/// A suite, and what one run of it has shown.
struct SuiteRecord: Sendable {
  /// A regular expression that matches the tests of this suite alone.
  let filter: String
  let milliseconds: Int
  /// Whether its tests pass without a fault.
  let passes: Bool
  /// The places that it reaches.
  let reached: Set<Int>

  var isOfProcesses: Bool { Self.processes.contains { filter.hasPrefix("^\($0)") } }
  private static let processes = ["ProcessTests", "ChaosTests", "SandboxProcessTests"]

  /// The filters of the suites in a list of tests: `Module.Suite/test()`.
  static func filters(in list: String) -> [String] {
    let names = list.split(separator: "\n").compactMap { line -> String? in
      // A suite's name may hold a slash within backticks.
      var (isQuoted, end) = (false, line.startIndex)
      for index in line.indices {
        if line[index] == "`" { isQuoted.toggle() }
        if line[index] == "/", !isQuoted {
          end = index
          break
        }
      }
      return end > line.startIndex && line.contains(".") ? String(line[..<end]) : nil
    }
    return Set(names).sorted().map { "^\(NSRegularExpression.escapedPattern(for: $0))/" }
  }

  /// - Parameter folder: with `suites`, one filter a line, and for the line n `n.end` (milliseconds and exit status) and
  ///   `n.reached`.
  static func read(_ folder: String) -> [SuiteRecord] {
    let filters = ((try? String(contentsOfFile: "\(folder)/suites", encoding: .utf8)) ?? "").split(separator: "\n")
    return filters.enumerated().compactMap { index, filter in
      guard let end = try? String(contentsOfFile: "\(folder)/\(index + 1).end", encoding: .utf8),
        let bytes = FileManager.default.contents(atPath: "\(folder)/\(index + 1).reached")
      else { return nil }
      let numbers = end.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
      guard numbers.count == 2 else { return nil }
      return SuiteRecord(
        filter: String(filter), milliseconds: numbers[0], passes: numbers[1] == 0,
        reached: Set(bytes.indices.filter { bytes[$0] != 0 }.map { $0 - bytes.startIndex }))
    }
  }

  /// The most time of suites for one place, in milliseconds as they were recorded. Nearly everything reaches a place of a
  /// room at the bottom, and what a room's own suites do not notice within it is as good as not noticed.
  private static let most = 120_000

  /// What is run for a place: suites of its own module first, unit suites before those with processes, the quick ones
  /// before the slow ones, several in one process.
  ///
  /// - Returns: rows of a time limit in seconds and the filters, for one process each.
  static func plan(_ suites: [SuiteRecord], for place: Place) -> [String] {
    let own = place.path.split(separator: "/").map { "^\($0)Tests\\." }
    func order(_ suite: SuiteRecord) -> (Int, Int, String) {
      let isOwn = own.contains { suite.filter.hasPrefix($0) }
      return (suite.isOfProcesses ? 2 : isOwn ? 0 : 1, suite.milliseconds, suite.filter)
    }
    var left = most
    let reaching = suites.filter { $0.passes && $0.reached.contains(place.id) }.sorted { order($0) < order($1) }
      .prefix { suite in
        defer { left -= suite.milliseconds }
        return left > 0
      }
    var rows: [(milliseconds: Int, filters: [String])] = []
    for suite in reaching {
      let budget = rows.count < 2 ? 4_000 : 20_000
      if let last = rows.last, last.milliseconds + suite.milliseconds <= budget, last.filters.count < 25 {
        rows[rows.count - 1].milliseconds += suite.milliseconds
        rows[rows.count - 1].filters.append(suite.filter)
      } else {
        rows.append((suite.milliseconds, [suite.filter]))
      }
    }
    return rows.map { "\(20 + 4 * $0.milliseconds / 1_000)\t\($0.filters.joined(separator: "\t"))" }
  }
}
