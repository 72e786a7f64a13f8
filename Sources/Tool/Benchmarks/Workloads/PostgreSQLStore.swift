import MeasuredHost
import BenchmarkResults
import CPostgreSQLFloor
import GroupStore
import PostgreSQL
import PostgreSQLGroupStore
import TestPrograms

extension Workload {
  /// A durable write to a server of its own, and the same statement from C.
  static let storePostgreSQLWrite = Workload(
    name: "store-postgresql-write",
    summary: "Write 100 bytes to a store in PostgreSQL, beside the same statement from C",
    unit: .microseconds, count: 2000
  ) { _, count in
    let store = try await SharedDatabase.store()
    var times: [UInt64] = []
    for _ in 0..<count {
      let start = ContinuousClock.now
      _ = try await store.apply(SharedDatabase.suite, [.set("key", SharedDatabase.value)])
      times.append((ContinuousClock.now - start).nanoseconds)
    }
    return Reading(Samples(nanoseconds: times, per: 1000))
  } floor: { _, count in
    try await SharedDatabase.floor(count, postgresql_floor_writes)
  }

  /// From a write of one host to the moment at which another has read what was written.
  static let storePostgreSQLNotify = Workload(
    name: "store-postgresql-notify",
    summary: "From a write to another host that has read it, by PostgreSQL, beside the same statements from C",
    unit: .microseconds, count: 1000
  ) { _, count in
    let (writer, reader) = (try await SharedDatabase.store(), try await SharedDatabase.store())
    var revision = try await reader.snapshot(SharedDatabase.suite).revision
    let watcher = reader.watch(SharedDatabase.suite, after: revision, of: nil)
    var times: [UInt64] = []
    // The first writes may be heard of by a look and not by a notification.
    for number in 0..<(count + 20) {
      let start = ContinuousClock.now
      let written = try await writer.apply(SharedDatabase.suite, [.set("key", SharedDatabase.value)])
      while revision < written { revision = try await watcher.next()?.through ?? written }
      if number >= 20 { times.append((ContinuousClock.now - start).nanoseconds) }
    }
    return Reading(Samples(nanoseconds: times, per: 1000))
  } floor: { _, count in
    try await SharedDatabase.floor(count, postgresql_floor_notifications)
  }
}

/// The server of a run, which ends with it.
private enum SharedDatabase {
  static let suite: SuiteID = "group.benchmark"
  static let value = [UInt8](repeating: 120, count: 100)
  private static let server = Result { try TestPostgreSQLServer() }

  /// A store with its tables.
  static func store() async throws -> PostgreSQLGroupBackend {
    let store = PostgreSQLGroupBackend(.init(target: try PostgreSQLTarget(server.get().url())))
    _ = try await store.apply(suite, [.set("key", value)])
    return store
  }

  static func floor(
    _ count: Int, _ measure: (UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<UInt64>?) -> Int32
  ) async throws -> Reading {
    _ = try await store()
    var times = [UInt64](repeating: 0, count: count)
    let error = measure(try server.get().url(), Int32(count), &times)
    guard error == 0 else { throw BenchmarkError("The floor of PostgreSQL failed: errno \(error).") }
    return Reading(Samples(nanoseconds: times, per: 1000))
  }
}

extension Duration {
  fileprivate var nanoseconds: UInt64 {
    UInt64(clamping: components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000)
  }
}
