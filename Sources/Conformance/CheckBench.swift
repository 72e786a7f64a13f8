import ExtensionHosting
import ExtensionProtocol
import JSONRPC

/// What a check works with: the extension, started anew for each that asks, and the time that it is given.
struct CheckBench: Sendable {
  let target: LaunchTarget
  /// For every single wait.
  let patience: Duration
  let stand: ConformanceStand

  /// A new process to which only the check speaks.
  ///
  /// - Parameter greets: whether the handshake is made first.
  func withWire<Result: Sendable>(
    greets: Bool = true, _ body: (RawWire) async throws -> Result
  ) async throws -> Result {
    let framing = Framing(rawValue: target.framing.rawValue) ?? .lines
    return try await stand.host.withRawExtension(target) { raw in
      let wire = RawWire(raw, framing: framing, loop: stand.host.loop)
      try await wire.open()
      let outcome: Swift.Result<Result, any Error>
      do {
        if greets { _ = try await wire.handshake(within: patience) }
        outcome = .success(try await body(wire))
      } catch {
        outcome = .failure(error)
      }
      await wire.close()
      return try outcome.get()
    }
  }
}
