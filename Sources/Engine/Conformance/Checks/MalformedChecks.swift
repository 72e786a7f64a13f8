import ExtensionHosting
import JSON

/// The checks with messages that only a broken host sends.
extension ConformanceCheck {
  static let malformed = [
    malformed("broken-json", "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":", "text that is not JSON"),
    malformed(
      "duplicate-names",
      "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"conformance/unknown\",\"params\":{\"a\":1,\"a\":2}}",
      "a message with a name twice in one object"),
    malformed(
      "invalid-utf8",
      Array("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"conformance/unknown\",\"params\":{\"a\":\"".utf8) + [
        0xFF, 0xC0,
      ]
        + Array("\"}}".utf8), "bytes that are not UTF-8"),
    malformed("no-message", "[1,2,3]", "JSON that is not a message"),
    malformed(
      "deep-nesting",
      Array("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"conformance/unknown\",\"params\":{\"a\":".utf8)
        + [UInt8](repeating: 0x5B, count: 100_000) + [UInt8](repeating: 0x5D, count: 100_000) + Array("}}".utf8),
      "100,000 nested arrays"),
    ConformanceCheck(
      "huge-message", "A message over 4 MiB is answered, or the conversation is ended in order.",
      advice: "Limit what you read; do not crash for want of memory."
    ) { context in
      try await context.withWire { wire in
        let text = JSONValue.string(String(repeating: "x", count: 5 << 20))
        await wire.request(5, RawWire.unknownMethod, ["text": text])
        await wire.request(6, RawWire.unknownMethod)
        await wire.wait(atMost: context.timeout) { !$0.answers(to: 6).isEmpty || $0.isDeaf }
        if await !wire.answers(to: 6).isEmpty { return nil }
        let end = await wire.raw.exit(within: context.timeout)
        if case .exited = end { return "it \(end.description)" }
        throw CheckFailure(
          end == .unknown ? "It neither answered nor ended." : "It \(end.description).",
          lines: await wire.raw.standardError)
      }
    },
  ]

  private static func malformed(_ name: String, _ frame: String, _ what: String) -> ConformanceCheck {
    malformed(name, Array(frame.utf8), what)
  }

  private static func malformed(_ name: String, _ frame: [UInt8], _ what: String) -> ConformanceCheck {
    ConformanceCheck(
      name, "After \(what) the extension continues, and answers with an error or not at all.",
      advice: "Answer what you cannot read with -32700 or -32600 and the id null, and read on."
    ) { context in
      try await context.withWire { wire in
        await wire.send(frame: frame)
        do {
          try await wire.mustAnswer(6, within: context.timeout, after: what)
        } catch let failure as CheckFailure {
          throw CheckFailure(failure.seen, lines: await wire.raw.standardError)
        }
        let answers = await wire.messages.filter { $0["method"] == nil && $0["id"] != 0 && $0["id"] != 6 }
        guard let wrong = answers.first(where: { !Self.codes.contains($0.errorCode ?? 0) }) else { return nil }
        throw CheckFailure("It answered \(what) with \(wire.shortened(wrong)).")
      }
    }
  }

  /// Parse error, invalid request, unknown method, invalid params.
  private static let codes: Set<Int64> = [-32700, -32600, -32601, -32602]
}
