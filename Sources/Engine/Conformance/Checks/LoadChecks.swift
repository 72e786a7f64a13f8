import EventLoop
import ExtensionHosting
import Glibc
import JSON
import JSONRPC

/// Much at once.
extension ConformanceCheck {
  static let load = [
    ConformanceCheck(
      "large-params", "A message of 1 MiB is read and answered.",
      advice:
        "Read messages up to 4 MiB; read to the end of the line or of the announced length, however long it takes."
    ) { context in
      try await context.withWire { wire in
        let text = JSONValue.string(String(repeating: "0123456789abcdef", count: 1 << 16))
        _ = try await wire.call(1, RawWire.unknownMethod, ["text": text], within: context.timeout)
        return nil
      }
    },
    ConformanceCheck(
      "in-flight", "64 requests at once are all answered, each exactly once.",
      advice: "Take requests as they come; a host may have 64 open. -32005 is for more than that."
    ) { context in
      try await context.withWire { wire in
        let ids = (1...64).map { JSONValue.integer($0) }
        for id in ids { await wire.request(id, RawWire.unknownMethod) }
        try await wire.mustAnswerAll(ids, within: context.timeout)
        let refused = await wire.messages.filter { $0.errorCode == -32005 }
        guard refused.isEmpty else { throw CheckFailure("It refused \(refused.count) of 64 requests with -32005.") }
        return nil
      }
    },
    ConformanceCheck(
      "slow-host", "A host that does not read for a while gets every answer afterwards.",
      advice: "Write all of an answer, also when the pipe is full for some time, and lose nothing."
    ) { context in
      try await context.withWire { wire in
        // More answers than a pipe holds, and no more: an extension may give up on a host that does not read for seconds.
        let ids = (1...2500).map { JSONValue.string("slow-\($0)-\(String(repeating: "i", count: 50))") }
        try await wire.pause()
        await wire.requests(ids, RawWire.unknownMethod)
        try await wire.waitUntilFull(atMost: context.timeout)
        try await wire.resume()
        try await wire.mustAnswerAll(ids, within: context.timeout)
        return nil
      }
    },
    ConformanceCheck(
      "memory", "The extension stays below the memory ceiling of its point.",
      advice:
        "Use less memory, or lower nothing in the manifest that you need: \"host api --point P\" names the ceiling."
    ) { context in
      try await context.withWire { wire in
        let text = JSONValue.string(String(repeating: "0123456789abcdef", count: 1 << 14))
        for id in 1...8 {
          _ = try await wire.call(.integer(Int64(id)), RawWire.unknownMethod, ["text": text], within: context.timeout)
        }
        guard let used = wire.raw.memory() else { throw CheckSkipped("This machine does not show it.") }
        let (mebibytes, ceiling) = (used >> 20, wire.raw.limits.memory >> 20)
        guard used <= wire.raw.limits.memory else {
          throw CheckFailure("It uses \(mebibytes) MiB with eight requests of 256 KiB; its ceiling is \(ceiling) MiB.")
        }
        return "\(mebibytes) of \(ceiling) MiB"
      }
    },
  ]
}

extension RawWire {
  /// Waits for one answer to each of many requests.
  func mustAnswerAll(_ ids: [JSONValue], within limit: Duration) async throws {
    let wanted = Set(ids)
    await wait(atMost: limit * 2) { $0.count(to: wanted) >= wanted.count }
    let came = count(to: wanted)
    guard came >= ids.count else {
      let end = await raw.exit(within: hasEnded ? .seconds(1) : .zero)
      let why = end == .unknown ? "" : " Then it \(end.description)."
      throw CheckFailure("It answered \(came) of \(ids.count) requests.\(why)", lines: await raw.standardError)
    }
    let distinct = Set(messages.compactMap { $0["method"] == nil ? $0["id"] : nil }).intersection(wanted)
    guard came == ids.count, distinct.count == ids.count else {
      throw CheckFailure("It gave \(came) answers to \(ids.count) requests.")
    }
  }

  /// Waits until the pipe holds as much as it can, and nothing has come for a moment: a library may give a host up that
  /// reads nothing for five seconds. An extension that writes less than fills the pipe has two seconds between two writes.
  func waitUntilFull(atMost limit: Duration) async throws {
    let end = ContinuousClock.now + limit
    var (waiting, before, looks): (Int32, Int32, Int) = (0, -1, 0)
    while ContinuousClock.now < end, looks < (waiting < 64 << 10 ? 40 : 4) {
      try await loop.sleep(for: .milliseconds(50))
      _ = ioctl(raw.standardOutput, UInt(FIONREAD), &waiting)
      looks = waiting == before ? looks + 1 : 0
      before = waiting
    }
  }

  private func count(to ids: Set<JSONValue>) -> Int {
    ids.reduce(0) { $0 + answers(to: $1).count }
  }
}
