import ExtensionHosting
import ExtensionProtocol
import JSON
import JSONRPC

/// Requests, notifications and their ids.
extension ConformanceCheck {
  static let messages = [
    ConformanceCheck(
      "ids", "An id comes back exactly as it was sent: a string as a string, a number as a number.",
      advice: "Copy the id of the request into the answer without changing its type."
    ) { context in
      try await context.withWire { wire in
        let ids: [JSONValue] = [
          7, "7", "a-b_c", .string(String(repeating: "i", count: 64)), "\u{e9}\u{1F300}", 9_007_199_254_740_991,
        ]
        for id in ids { _ = try await wire.call(id, RawWire.unknownMethod, within: context.timeout) }
        let strays = await wire.strays(besides: ids + [0])
        guard strays.isEmpty else { throw CheckFailure("It answered an id that nobody used: \(strays[0]).") }
        return nil
      }
    },
    ConformanceCheck(
      "unknown-method", "A method that the point does not have is answered with -32601, whatever its name begins with.",
      advice: "Compare the whole name of a method; what begins like those of the point may come with a later version."
    ) { context in
      let method = "\(context.host.registry.points.definition(of: context.point).prefix)/conformance"
      return try await context.withWire { wire in
        let answer = try await wire.call(1, method, within: context.timeout)
        guard answer.errorCode == -32601 else {
          throw CheckFailure("It answered \(method), which there is not, with \(wire.shortened(answer)).")
        }
        return nil
      }
    },
    ConformanceCheck(
      "notifications", "A notification is never answered, also when it is not known.",
      advice: "Ignore messages without an id whose method you do not know."
    ) { context in
      try await context.withWire { wire in
        await wire.notify("conformance/unknown")
        await wire.notify("$/conformance", ["value": 1])
        await wire.notify("$/cancelRequest", ["id": 4711])
        try await wire.mustAnswer(1, within: context.timeout, after: "notifications that it does not know")
        let strays = await wire.strays(besides: [0, 1])
        guard strays.isEmpty else { throw CheckFailure("It answered a notification: \(strays[0]).") }
        return nil
      }
    },
    ConformanceCheck(
      "ping", "$/ping is answered with its nonce, or as a method that is not served.",
      advice: "Answer {\"nonce\":…,\"uptimeMs\":…}, or -32601: silence counts as being stuck."
    ) { context in
      try await context.withWire { wire in
        let answer = try await wire.call(1, Ping.method, ["nonce": "n-1"], within: context.timeout)
        if answer.errorCode == -32601 { return "it does not serve it" }
        guard answer["result"]?["nonce"] == "n-1" else {
          throw CheckFailure("It answered a ping with nonce \"n-1\" with \(wire.shortened(answer)).")
        }
        return nil
      }
    },
    ConformanceCheck(
      "cancellation", "A request that is cancelled is answered exactly once.",
      advice: "After $/cancelRequest answer the request with -32800, or with its result: once."
    ) { context in
      try await context.withWire { wire in
        await wire.request(1, Ping.method)
        await wire.notify("$/cancelRequest", ["id": 1])
        _ = try await wire.answer(to: 1, of: Ping.method, within: context.timeout)
        await wire.notify("$/cancelRequest", ["id": 1])
        try await wire.mustAnswer(2, within: context.timeout, after: "a cancellation")
        let count = await wire.answers(to: 1).count
        guard count == 1 else { throw CheckFailure("It answered the cancelled request \(count) times.") }
        return nil
      }
    },
    ConformanceCheck(
      "quiet-output", "Standard output carries messages and nothing else.",
      advice: "Print to standard error, or send $/log; also what your libraries print."
    ) { context in
      try await context.withWire { wire in
        try await wire.mustAnswer(1, within: context.timeout, after: "the handshake")
        await wire.endInput(within: context.timeout)
        await wire.wait(atMost: context.timeout) { $0.hasEnded }
        if let noise = await wire.noise { throw CheckFailure(noise) }
        return nil
      }
    },
  ]
}

extension RawWire {
  /// Responses to ids that were not used, as text.
  func strays(besides used: [JSONValue]) -> [String] {
    messages.filter { $0["method"] == nil && !used.contains($0["id"] ?? .null) }.map { shortened($0) }
  }
}
