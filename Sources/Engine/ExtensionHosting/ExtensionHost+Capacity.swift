import JSON
import EventLoop
import ExtensionProtocol
import Glibc
import Synchronization

extension ExtensionHost {
  /// How much a host does at once. What is beyond waits its turn: requests for one extension in the order in which they
  /// came, the extensions by turns.
  public struct Capacity: Sendable {
    /// Processes that are started for requests and run at once. Those that are kept ready count by ``Warm/capacity``.
    public var processes = 1000
    /// Of these, processes of one extension; by default all.
    public var processesOfOneExtension = 1000
    /// Processes that are being launched at once, up to their answer to `initialize`: so many that a launch ends within
    /// ``Deadlines/handshake`` however many wait. By default four for each processor, at least 16.
    public var launches = max(16, 4 * Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    /// Requests that may wait for a process. More are refused with `limitExceeded`.
    public var waiting = 10_000

    /// The capacity that a host has when nothing else is said.
    public init() {}
  }

  /// Runs the body with a place for one more process of an instance's extension.
  ///
  /// - Throws: `limitExceeded` when too many wait, or when it took too long; `shuttingDown`; `cancelled`.
  func withPlace<Result: Sendable>(
    for instance: ExtensionInstance, _ body: () async throws -> Result
  ) async throws -> Result {
    let id = instance.identity.id
    do throws(FairLine.Refusal) {
      try await places.enter(id, within: configuration.deadlines.queue)
    } catch {
      throw await refused(instance, error, "a process", configuration.capacity.processes)
    }
    let outcome: Swift.Result<Result, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    await places.leave(id)
    return try outcome.get()
  }

  /// Waits until a process may be launched.
  func awaitLaunch(of instance: ExtensionInstance) async throws(ExtensionError) -> LaunchTurn {
    do throws(FairLine.Refusal) {
      try await launches.enter(instance.identity.id, within: configuration.deadlines.queue)
    } catch {
      throw await refused(instance, error, "its launch", configuration.capacity.launches)
    }
    return LaunchTurn(instance.identity.id, in: launches, meter: meter)
  }

  /// Nothing is started for an instance.
  private func refused(
    _ instance: ExtensionInstance, _ refusal: FairLine.Refusal, _ what: String, _ capacity: Int
  ) async -> ExtensionError {
    let name = instance.identity.displayName
    let advice = "Try again later, ask for less at once, or raise Configuration.capacity."
    let error =
      switch refusal {
      case .full(let count):
        ExtensionError(
          .limitExceeded, "\(name) was not started: \(count) requests wait already.", recovery: advice,
          details: ["waiting": .integer(Int64(count))])
      case .late(let limit):
        ExtensionError(
          .limitExceeded, "\(name) was not started: it waited \(limit) for \(what), of which \(capacity) are in use.",
          recovery: advice, details: ["capacity": .integer(Int64(capacity))])
      case .closed: ExtensionError.hostIsShut
      case .cancelled: ExtensionError(.cancelled, "The start of \(name) was cancelled.")
      }
    await instance.event(.launchFailed)
    await instance.supervisor.ended(instance, error: error, isLaunch: true)
    return error
  }
}

/// One of the launches that go on at once.
final class LaunchTurn: Sendable {
  private let id: String
  private let line: FairLine
  private let meter: HostMeter
  private let begin: UInt64
  private let isOver = Atomic(false)

  init(_ id: String, in line: FairLine, meter: HostMeter) {
    self.id = id
    self.line = line
    self.meter = meter
    begin = line.loop.time
  }

  /// The launch is over; the first call counts.
  func finish(isLaunched: Bool) {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
    meter.launch(took: line.loop.time &- begin, failed: !isLaunched)
    line.loop.execute { [line, id] in line.assumeIsolated { $0.leave(id) } }
  }
}
