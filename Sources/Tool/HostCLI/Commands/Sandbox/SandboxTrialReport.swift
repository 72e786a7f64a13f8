import CommandLineTool
import JSON
import Sandbox
import SandboxTrials

/// What the attempts of `host doctor --verify` came to, for people and for scripts.
struct SandboxTrialReport {
  let series: [TrialSeries]

  var holds: Bool { series.allSatisfy { $0.broken.isEmpty } }

  /// A table of the first tier, then what differs in the others.
  func print(to console: Console) {
    for (index, one) in series.enumerated() {
      console.print()
      console.print("Attempts in the tier \(one.tier.rawValue):")
      if index == 0 || !one.broken.isEmpty { console.print(Self.table(one, brokenOnly: index > 0)) }
      console.print(Self.summary(one))
    }
  }

  private static func table(_ series: TrialSeries, brokenOnly: Bool) -> TextTable {
    var table = TextTable([.init("A HOSTILE EXTENSION TRIES TO"), .init("RESULT"), .init("ANSWER")])
    for trial in brokenOnly ? series.broken : series.trials {
      let summary = trial.attempt.summary.prefix(1).lowercased() + trial.attempt.summary.dropFirst()
      switch trial.verdict {
      case .held(let how): table.add([.init(summary), .init("blocked", .green), .init(how)])
      case .notPromised: table.add([.init(summary), .init("not promised", .yellow), .init("")])
      case .broken(let what): table.add([.init(summary), .init("BROKEN", .red), .init(what)])
      }
    }
    return table
  }

  private static func summary(_ series: TrialSeries) -> ShownText {
    let open = series.unpromised.map(\.name)
    let rest = open.isEmpty ? "" : ", \(open.count) not promised (\(open.joined(separator: ", ")))"
    return "\(series.heldCount) blocked, \(series.broken.count) broken\(rest)."
  }

  /// `[{tier, blocked, broken, notPromised, attempts[{name, summary, result, detail?}]}]`
  var document: JSONValue {
    .array(
      series.map { one in
        let attempts = one.trials.map { trial -> JSONValue in
          var object: JSONObject = ["name": .string(trial.attempt.name), "summary": .string(trial.attempt.summary)]
          switch trial.verdict {
          case .held(let how):
            object["result"] = .string("blocked")
            object["detail"] = .string(how)
          case .notPromised: object["result"] = .string("notPromised")
          case .broken(let what):
            object["result"] = .string("broken")
            object["detail"] = .string(what)
          }
          return .object(object)
        }
        return .object([
          "tier": .string(one.tier.rawValue), "blocked": .integer(Int64(one.heldCount)),
          "broken": .integer(Int64(one.broken.count)), "notPromised": .integer(Int64(one.unpromised.count)),
          "attempts": .array(attempts),
        ])
      })
  }
}
