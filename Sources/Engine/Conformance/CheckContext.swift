package import ExtensionHosting
package import ExtensionProtocol
import JSON
import JSONRPC

/// The tools of a check: the extension, started anew for each use, and the time limit.
package struct CheckContext: Sendable {
  /// The data for starting the extension.
  package let target: LaunchTarget
  /// The time limit of every single wait.
  package let timeout: Duration
  /// The host that runs the extension.
  package let host: ConformanceHost
  /// The feature that the extension's point belongs to.
  let feature: (any ConformanceFeature.Type)?

  /// The point at which the extension is tried.
  package var point: ExtensionPoint { target.identity.point }

  /// A text to pass to extensions.
  package static let text = "Conformance"

  /// A new process to which only the check speaks.
  ///
  /// - Parameter greets: whether the handshake is made first.
  package func withWire<Result: Sendable>(
    greets: Bool = true, _ body: (RawWire) async throws -> Result
  ) async throws -> Result {
    let framing = Framing(rawValue: target.framing.rawValue) ?? .lines
    return try await host.host.withRawExtension(target) { raw in
      let wire = RawWire(raw, framing: framing, loop: host.host.loop)
      try await wire.open()
      let outcome: Swift.Result<Result, any Error>
      do {
        if greets { _ = try await wire.handshake(within: timeout) }
        outcome = .success(try await body(wire))
      } catch {
        outcome = .failure(error)
      }
      await wire.close()
      return try outcome.get()
    }
  }

  /// Starts the extension on the real host and records every message.
  ///
  /// - Throws: ``CheckFailure`` with the host's description of what went wrong.
  package func withExtension<Result: Sendable>(
    _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    _ = try await HealthStore(host.host.configuration.state).reset(target.identity.id)
    do {
      return try await host.host.withTarget(target, body)
    } catch let error as ExtensionError {
      var lines: [String] = []
      if case .array(let values) = error.details["standardError"] { lines = values.compactMap(\.stringValue) }
      throw CheckFailure(error.message, lines: lines)
    }
  }

  /// Runs what an extension may refuse, because what is asked for here need not exist where the extension looks.
  ///
  /// - Parameter methods: whose answers may be errors of a framework, or what the host refused to the extension itself.
  /// - Returns: the refusal in words; `nil` when the body ran to its end.
  package func excusing(_ methods: String..., body: () async throws -> Void) async throws -> String? {
    do {
      try await body()
      return nil
    } catch let failure as CheckFailure {
      for method in methods {
        let error = try await ownError(answering: method)
        if let error, let code = error["code"]?.integerValue, (-32050 ... -32020).contains(code) {
          return "an error: \(error["message"]?.stringValue ?? "")"
        }
      }
      throw failure
    }
  }
}
