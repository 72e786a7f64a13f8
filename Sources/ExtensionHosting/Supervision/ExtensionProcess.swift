package import EventLoop
public import ExtensionProtocol
package import JSONRPC
import Synchronization

/// A running extension: the host's end of its pipe. Valid inside ``ExtensionHost/withExtension(_:_:)``.
public final class ExtensionProcess: Sendable {
  /// Who it is, as services see it.
  public var caller: Caller { Caller(identity: identity, instance: instance, process: self) }

  package let connection: Connection
  /// The folder below which files are granted to it, gone when it ends; `nil` for one that the host did not start.
  let scratch: String?
  let identity: Caller.Identity
  let instance: UInt64
  private let loop: EventLoop
  private let monitor: ProcessMonitor?
  let owner: ExtensionUser?

  private static let instances = Atomic<UInt64>(0)

  /// How long a call may take when nothing else is said.
  public static let defaultDeadline = Duration.seconds(10)

  /// The host's end of something that the host did not start.
  package convenience init(identity: Caller.Identity, connection: Connection, loop: EventLoop, scratch: String?) {
    self.init(identity: identity, connection: connection, loop: loop, scratch: scratch, monitor: nil, owner: nil)
  }

  init(
    identity: Caller.Identity, connection: Connection, loop: EventLoop, scratch: String?, monitor: ProcessMonitor?,
    owner: ExtensionUser?
  ) {
    self.identity = identity
    self.connection = connection
    self.loop = loop
    self.scratch = scratch
    self.monitor = monitor
    self.owner = owner
    instance = Self.instances.add(1, ordering: .relaxed).newValue
  }

  /// Calls a method of the extension.
  ///
  /// - Parameters:
  ///   - method: the params.
  ///   - deadline: at most this long; 10 s when not given.
  /// - Throws: the extension's error; `deadlineExceeded`; `peerExited` with the exit reason and the last lines of
  ///   standard error when the process ends first; `protocolViolation` when what it sends cannot be read; `cancelled`.
  public func call<Method: RemoteMethod>(
    _ method: Method, deadline: Duration? = nil
  ) async throws(ExtensionError) -> Method.Result {
    do {
      return try await connection.call(
        Method.method, method, returning: Method.Result.self, deadline: deadline ?? Self.defaultDeadline)
    } catch {
      throw await explain(ExtensionError(error), during: Method.method)
    }
  }

  /// Sends a notification; an extension that has exited does not hear it.
  public func notify<Notification: RemoteNotification>(_ notification: Notification) async {
    try? await connection.notify(Notification.method, notification)
  }

  /// Runs an operation for at most some time.
  package func within<Value: Sendable>(
    _ deadline: Duration, _ operation: @escaping @Sendable () async throws -> Value,
    timeout: () -> ExtensionError
  ) async throws(ExtensionError) -> Value {
    do {
      return try await withDeadline(deadline, on: loop, operation: operation)
    } catch is DeadlineExceeded {
      throw timeout()
    } catch {
      throw ExtensionError(wrapping: error)
    }
  }

  /// An error with what is known of the process: why it ended, and what it wrote last.
  func explain(_ error: ExtensionError, during method: String) async -> ExtensionError {
    switch error.code {
    case .peerExited: return await exit(error, before: "it answered \(method)")
    case .deadlineExceeded:
      var error = error
      error.message = "\(identity.displayName) did not answer \(method) in time."
      return await attributed(error)
    default:
      var error = error
      error.details["extension"] = .string(identity.id)
      return error
    }
  }

  /// A `peerExited` with why the process ended, or what else ended the connection.
  ///
  /// - Parameter before: what it had still to do, as a clause: `it answered initialize`.
  package func exit(_ error: ExtensionError, before: String) async -> ExtensionError {
    var error = error
    switch connection.closeReason {
    case .cancelled, .finished:
      return ExtensionError(.cancelled, "\(identity.displayName) was ended by the host, before \(before).")
    case .protocolViolation, .partialMessage, .writeStalled, .outgoingQueueFull:
      let reason = connection.closeReason.map { StandardErrorRing.printable("\($0)".utf8) } ?? ""
      error = ExtensionError(
        .protocolViolation, "\(identity.displayName) was cut off, before \(before). \(reason)", details: error.details)
    case .peerClosed, .readFailed, .writeFailed, nil:
      let reason = await exitReason
      error.message = "\(identity.displayName) \(reason), before \(before)."
      error.details["reason"] = .string(reason)
    }
    return await attributed(error)
  }

  /// Why the process hung up, as a predicate.
  private var exitReason: String {
    get async {
      guard let monitor else { return "hung up" }
      let reason = await monitor.exit(within: .seconds(1))
      return reason == .unknown ? "closed its standard output" : reason.description
    }
  }

  /// An error with the extension's identifier and the last lines of its standard error.
  private func attributed(_ error: ExtensionError) async -> ExtensionError {
    var error = error
    error.details["extension"] = .string(identity.id)
    guard let monitor else { return error }
    let lines = await monitor.standardError
    if !lines.isEmpty { error.details["standardError"] = .array(lines.map { .string($0) }) }
    return error
  }
}
