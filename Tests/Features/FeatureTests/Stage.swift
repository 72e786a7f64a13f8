import AppExtensions
import EventLoop
import ExtensionHosting
import FeatureChecks
import HostServices
import JSON
import JSONRPC
import Synchronization

@testable import ExtensionTesting

/// A host whose every setting a test chooses, and whose peer may be anything that speaks JSON-RPC.
struct Stage {
  var services: [any HostService] = []
  var allowlist: Allowlist?
  var deadlines = ExtensionHost.Deadlines()
  var log: any LogSink = NoLog()
  var permissions: PermissionAuthority?
  var heldMemory: Int?
  /// Whether the services of all features are there, in place of those that the test has made.
  var hasEveryFeature = false
  /// Extension points beside those of the features.
  var points: [any PointContract.Type] = []
  /// Whether files can be granted to the peer.
  var hasScratch = false
  /// Is told why the peer is ended.
  var onEnd: @Sendable (StopReason) -> Void = { _ in }

  /// Runs the body with a peer whose answers the handler gives.
  func withPeer<Result: Sendable>(
    _ handler: some MessageHandler, identity: Caller.Identity = .testing(),
    _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    let loop = EventLoop.onThread(name: "stage")
    defer { loop.stop() }
    let folder = try TestFolder()
    defer { folder.remove() }
    var configuration = ExtensionHost.Configuration(
      registry: ExtensionRegistry(RegistrySources()).adding(points), state: folder.state, launcherPath: "/nonexistent",
      allowlist: allowlist, log: log, permissions: permissions)
    configuration.deadlines = deadlines
    if let heldMemory { configuration.heldMemory = heldMemory }
    let host =
      try hasEveryFeature
      ? HostEnvironment(configuration, loop: loop, features: Features.hosts).makeHost()
      : ExtensionHost(configuration: configuration, services: services, loop: loop)
    let (hostEnd, peerEnd) = Connection.pair(on: loop, configuration: configuration.wire)
    return try await host.serve(
      PeerLink(connection: hostEnd, scratch: hasScratch ? folder.path : nil, onEnd: onEnd), identity,
      over: hostEnd, to: peerEnd,
      peer: { _ = await peerEnd.run(handler: handler) }, body)
  }
}

private struct PeerLink: ExtensionLink {
  let connection: Connection
  var scratch: String?
  let onEnd: @Sendable (StopReason) -> Void
  var directories: Initialize.Directories { Initialize.Directories(scratch: "/s", container: "/c", groups: [:]) }

  func process(of instance: ExtensionInstance) -> ExtensionProcess {
    ExtensionProcess(of: instance, connection: connection, scratch: scratch)
  }

  func end(_ deadlines: ExtensionHost.Deadlines, reason: StopReason) async {
    onEnd(reason)
    await connection.close(.finished)
  }
}

/// A peer that shakes hands and then, when the host pings, calls what a test tells it.
struct PeerProbe: MessageHandler {
  typealias Work = @Sendable (Connection) async throws -> Void

  var version = "1.0"
  /// Before the answer to `initialize`.
  var early: Work = { _ in }
  var work: Work = { _ in }

  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    switch message.method {
    case Initialize.method:
      return MessageWork {
        try await early(connection)
        return Reply.encoding(Initialize.Result(protocolVersion: version))
      }
    case Ping.method:
      return MessageWork {
        try await work(connection)
        return Reply.encoding(Ping.Result(nonce: nil, uptimeMs: 1))
      }
    default: return nil
    }
  }
}

extension Connection {
  /// The code that a call with these params is refused with; `nil` when it is not.
  func refusal(_ method: String, _ params: JSONValue) async -> ExtensionError? {
    do {
      _ = try await call(method, params, returning: JSONValue.self, deadline: .seconds(30))
      return nil
    } catch {
      return ExtensionError(error)
    }
  }
}

/// Keeps log lines.
final class KeptLog: LogSink {
  struct Line: Sendable {
    var level: LogLevel
    var message: String
    var metadata: [String: JSONValue]
  }

  private let kept = Mutex<[Line]>([])
  var lines: [Line] { kept.withLock { $0 } }

  func log(_ level: LogLevel, _ message: String, metadata: [String: JSONValue]) {
    kept.withLock { $0.append(Line(level: level, message: message, metadata: metadata)) }
  }
}
