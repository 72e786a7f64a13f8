import MeasuredHost
import BenchmarkResults
import CFloor
import EchoContract
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import HostServices
import SessionServices
import Transfers

extension Workload {
  /// From the moment at which the end of a task is kept to the moment at which the session's owner hears of it, against
  /// one round trip of this host.
  static let sessionEvent = Workload(
    name: "session-event",
    summary: "From the end of a transfer to its owner, on one CPU, beside a round trip of this host",
    unit: .microseconds, count: 200
  ) { bench, count in
    try await bench.sessionEvents(count)
  } floor: { bench, count in
    Reading(Samples(nanoseconds: try await bench.roundTrips(.full, count: count * 10, at: .oneCPU), per: 1000))
  }
}

extension Bench {
  /// The tasks are cancelled here, one after the other: what is measured is the way of an event, and no network.
  fileprivate func sessionEvents(_ count: Int) async throws -> Reading {
    let key = SessionKey(app: "com.example.benchmarks", identifier: "events")
    return try await withHost(
      .full,
      making: { configuration, loop in
        var services = StandardServices(configuration: configuration)
        // Nobody makes the transfers.
        services.use { try SessionService(in: $0, maker: .daemon(start: {})) }
        return try services.makeHost(on: loop)
      },
      changing: { configuration in
        configuration.permissions = PermissionAuthority(state: configuration.state, consent: .grant)
      }
    ) { host in
      try await host.withEcho(at: .oneCPU) { echo in
        let service = host.host.service(SessionService.self)
        async let heard = echo.call(EchoMeasure(service: .sessionEvents, count: count), deadline: .seconds(60))
        let ended = try await end(count, of: key, in: service.journal, on: host.loop)
        let moments = try await heard.moments ?? []
        let times = zip(ended, moments).map { UInt64(max(0, $1 - $0)) }
        guard times.count == count else { throw BenchmarkError("Not every event came.") }
        return Reading(Samples(nanoseconds: times, per: 1000))
      }
    }
  }

  /// Ends tasks one after the other.
  ///
  /// - Returns: when the end of each was durable, in monotonic nanoseconds.
  private func end(
    _ count: Int, of key: SessionKey, in journal: TransferJournal, on loop: EventLoop
  ) async throws -> [Int64] {
    var tasks: [TransferRecord] = []
    while tasks.count < count {
      let seen = journal.changes.count
      tasks = try await journal.tasks(key).filter { !$0.state.isOver }
      if tasks.count < count { try await journal.changes.wait(past: seen) }
    }
    var moments: [Int64] = []
    for task in tasks {
      // The owner has handled the one before.
      try await loop.sleep(for: .milliseconds(5))
      try await journal.cancel(task.id, of: key, epoch: try await journal.session(key)?.epoch ?? 0)
      moments.append(Int64(clamping: floor_now()))
    }
    return moments
  }
}
