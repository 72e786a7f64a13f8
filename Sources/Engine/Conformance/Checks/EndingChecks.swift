import ExtensionHosting
import ExtensionProtocol
import JSON

/// The checks of a process's end.
extension ConformanceCheck {
  static let ending = [
    ConformanceCheck(
      "terminate", "terminate is answered, and the process ends by itself within the grace period.",
      advice: "Answer \"terminate\" with {}, then leave the program. After the grace period it is killed."
    ) { context in
      try await context.withWire { wire in
        let answer = try await wire.call(
          1, Terminate.method, ["reason": "quit", "graceMs": 2000], within: context.timeout)
        guard wire.isResult(answer) else {
          throw CheckFailure("It answered terminate with \(wire.shortened(answer)).")
        }
        await wire.endInput(within: context.timeout)
        return try await wire.mustEnd(within: context.timeout, after: "answering terminate")
      }
    },
    ConformanceCheck(
      "end-of-input", "The process ends when its standard input does.",
      advice: "Leave the program when reading gives the end of the input: the host is gone."
    ) { context in
      try await context.withWire { wire in
        try await wire.mustAnswer(1, within: context.timeout, after: "the handshake")
        await wire.endInput(within: context.timeout)
        return try await wire.mustEnd(within: context.timeout, after: "the end of its standard input")
      }
    },
  ]
}

extension RawWire {
  /// - Returns: a remark on the exit status.
  func mustEnd(within limit: Duration, after what: String) async throws -> String? {
    // The extension may still write, and no other code reads it.
    await wait(atMost: limit) { $0.hasEnded }
    let end = await raw.exit(within: limit)
    switch end {
    case .exited(0): return nil
    case .exited(let status): return "exit status \(status)"
    case .unknown: throw CheckFailure("\(limit) after \(what) it still runs.")
    default: throw CheckFailure("After \(what) it \(end.description).", lines: await raw.standardError)
    }
  }
}
