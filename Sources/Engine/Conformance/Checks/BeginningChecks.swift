import ExtensionProtocol
import JSON
import JSONRPC

/// The checks of the handshake.
extension ConformanceCheck {
  static let beginning = [
    ConformanceCheck(
      "handshake", "initialize is answered with one of the protocol versions that the host offers.",
      advice: "Answer \"initialize\" first, on standard output, in the framing that the manifest names.", requires: []
    ) { context in
      try await context.withWire(greets: false) { wire in
        let answer = try await wire.handshake(within: context.timeout)
        guard let version = answer["result"]?["protocolVersion"]?.stringValue else {
          throw CheckFailure("It answered initialize with \(wire.shortened(answer)).")
        }
        guard ProtocolVersion.supported.contains(version) else {
          throw CheckFailure("It speaks \(version.prefix(40)), and was offered \(ProtocolVersion.supported).")
        }
        return "protocol \(version)"
      }
    },
    ConformanceCheck(
      "answers", "A request for a method that is not served is answered with -32601.",
      advice: "Answer every request, also one that you do not know: {\"error\":{\"code\":-32601,\"message\":…}}.",
      requires: ["handshake"]
    ) { context in
      try await context.withWire { wire in
        let answer = try await wire.call(1, RawWire.unknownMethod, within: context.timeout)
        guard answer.errorCode == -32601 else {
          throw CheckFailure("It answered a method that does not exist with \(wire.shortened(answer)).")
        }
        return nil
      }
    },
    ConformanceCheck(
      "version", "A protocol version that the extension does not speak is refused with -32020.",
      advice: "When \"protocolVersions\" names none that you speak, answer with the error code -32020."
    ) { context in
      try await context.withWire(greets: false) { wire in
        let answer = try await wire.handshake(within: context.timeout, versions: ["0.0"])
        guard answer.errorCode == -32020 else {
          throw CheckFailure("Offered version 0.0 only, it answered \(wire.shortened(answer)).")
        }
        return nil
      }
    },
    ConformanceCheck(
      "before-handshake", "A request before initialize is answered, and the handshake works after it.",
      advice: "Answer requests that come before \"initialize\" with an error, and go on reading."
    ) { context in
      try await context.withWire(greets: false) { wire in
        try await wire.mustAnswer("early", within: context.timeout, after: "a request before initialize")
        if wire.isResult(await wire.answers(to: "early")[0]) {
          throw CheckFailure("It answered a method that does not exist with a result, before the handshake.")
        }
        let answer = try await wire.handshake(within: context.timeout)
        guard wire.isResult(answer) else {
          throw CheckFailure("Afterwards it answered initialize with \(wire.shortened(answer)).")
        }
        return nil
      }
    },
    ConformanceCheck(
      "unknown-members", "Members that the extension does not know are ignored.",
      advice: "Read the members that you know, and leave the others alone."
    ) { context in
      try await context.withWire(greets: false) { wire in
        let extra: JSONValue = ["deep": [1, 2, ["three": .null]], "text": "\u{1F300}"]
        let answer = try await wire.handshake(within: context.timeout, extra: extra)
        guard wire.isResult(answer) else {
          throw CheckFailure("It answered initialize with a member too many with \(wire.shortened(answer)).")
        }
        try await wire.mustAnswer(1, within: context.timeout, after: "a handshake with a member that it does not know")
        return nil
      }
    },
  ]
}

extension RawWire {
  nonisolated func isResult(_ answer: JSONValue) -> Bool { answer["result"] != nil }
}
