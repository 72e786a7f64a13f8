import Foundation

/// What became of the places.
struct Report {
  /// What has become of one.
  enum Outcome { case killed, survived, unreached, equivalent }

  /// A place that no test can notice, with the reason. The rows of `equivalent.tsv` name a file, the first line of the
  /// place, the texts before and after, and why.
  struct Equivalents {
    private let reasons: [[String]: String]
    private let root: String

    init(_ path: String, root: String) {
      self.root = root
      let rows = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").dropFirst()
      reasons = rows.reduce(into: [:]) { reasons, row in
        let cells = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        if cells.count == 5 { reasons[Array(cells.prefix(4))] = cells[4] }
      }
    }

    func reason(of place: Place) -> String? {
      let named = reasons.keys.contains { $0[0] == place.path }
      guard named, let text = try? String(contentsOfFile: "\(root)/\(place.path)", encoding: .utf8) else { return nil }
      let line = text.split(separator: "\n", omittingEmptySubsequences: false)[place.lines.lowerBound - 1]
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      return reasons[[place.path, trimmed, Place.escaped(place.original), Place.escaped(place.mutant)]]
    }
  }

  /// Which files guard something: rows of a beginning of a path, and a name.
  let guarding: [(path: String, name: String)]
  let equivalents: Equivalents
  let root: String

  init(root: String, tables: String) {
    self.root = root
    equivalents = Equivalents("\(tables)/equivalent.tsv", root: root)
    guarding = ((try? String(contentsOfFile: "\(tables)/guarding.tsv", encoding: .utf8)) ?? "").split(separator: "\n")
      .compactMap { row in
        let cells = row.split(separator: "\t").map(String.init)
        return cells.count == 2 ? (cells[0], cells[1]) : nil
      }
  }

  func guardName(of place: Place) -> String? { guarding.first { place.path.hasPrefix($0.path) }?.name }

  /// Prints everything: what survived with its lines, then the shares.
  ///
  /// - Parameter outcomes: a line for each number, with the filters that killed it after it, nothing where it survived.
  func print(_ places: [Place], outcomes: [Int: String], unreached: Set<Int>) {
    var counts: [String: [Outcome: Int]] = [:]
    for place in places.sorted(by: { ($0.path, $0.range.lowerBound) < ($1.path, $1.range.lowerBound) }) {
      let outcome: Outcome =
        if equivalents.reason(of: place) != nil {
          .equivalent
        } else if unreached.contains(place.id) {
          .unreached
        } else {
          outcomes[place.id]?.isEmpty == false ? .killed : .survived
        }
      for name in ["over all"] + (guardName(of: place).map { ["what guards something", $0] } ?? []) {
        counts[name, default: [:]][outcome, default: 0] += 1
      }
      switch outcome {
      case .killed: break
      case .survived: show(place, "SURVIVED")
      case .unreached: show(place, "SURVIVED (no suite reaches it)")
      case .equivalent: show(place, "equivalent: \(equivalents.reason(of: place) ?? "")")
      }
    }
    for (name, count) in counts.sorted(by: { Self.order($0.key) < Self.order($1.key) }) {
      let killed = count[.killed, default: 0]
      let all = killed + count[.survived, default: 0] + count[.unreached, default: 0]
      Swift.print(
        "\(name.padding(toLength: 28, withPad: " ", startingAt: 0)) \(killed) of \(all) killed"
          + " (\(all == 0 ? 100 : killed * 1_000 / all / 10) %), \(count[.unreached, default: 0]) not reached,"
          + " \(count[.equivalent, default: 0]) equivalent")
    }
  }

  private static func order(_ name: String) -> String {
    name == "over all" ? "1" : name == "what guards something" ? "2" : "3\(name)"
  }

  /// Prints a place as a difference of its lines.
  private func show(_ place: Place, _ title: String) {
    Swift.print("\(title) · \(place.kind.rawValue) · \(place.path):\(place.lines.lowerBound)")
    let text = (try? String(contentsOfFile: "\(root)/\(place.path)", encoding: .utf8)) ?? ""
    let bytes = Array(text.utf8)
    guard place.range.upperBound <= bytes.count else { return }
    let newline = UInt8(ascii: "\n")
    let start = bytes[..<place.range.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? 0
    let end = bytes[place.range.upperBound...].firstIndex(of: newline) ?? bytes.count
    let changed = bytes[start..<place.range.lowerBound] + Array(place.mutant.utf8) + bytes[place.range.upperBound..<end]
    for (sign, part) in [("-", Array(bytes[start..<end])), ("+", Array(changed))] {
      for line in String(decoding: part, as: UTF8.self).split(separator: "\n") { Swift.print("  \(sign) \(line)") }
    }
  }
}
