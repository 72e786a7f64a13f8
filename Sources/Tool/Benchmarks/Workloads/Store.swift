import MeasuredHost
import BenchmarkResults
import CStoreFloor
import EchoContract
import ExtensionHosting
import ExtensionProtocol
import HostServices

extension Workload {
  /// What a value costs that the extension has in its copy of the suite.
  static let storeRead = Workload(
    name: "store-read", summary: "An extension reads a key of an app group, after the first use",
    unit: .microseconds, count: 5000
  ) { bench, count in
    try await bench.measureStore(.defaults, count: count)
  } floor: { bench, count in
    Reading(Samples(nanoseconds: try bench.floor.roundTrips(Floor.request, count: count, at: .oneCPU), per: 1000))
  }

  /// Durable writes of one and of eight extensions at once.
  static let storeWrites = [1, 8].map { writers in
    Workload(
      name: "store-write-\(writers)",
      summary: "\(writers) extension(s) write 100 bytes a time, synced, beside as many processes that call SQLite",
      unit: .requestsPerSecond, count: 400
    ) { bench, count in
      let store = SuiteStore.file(durability: .strict) { "\(bench.folder)/groups-strict.sqlite" }
      return try await bench.withHost(.full, services: [DefaultsService(store: store)]) { host in
        try await host.writes(count, each: writers, [])
      }
    } floor: { bench, count in
      var time: UInt64 = 0
      let error = store_floor_writes("\(bench.folder)/floor.sqlite", Int32(writers), Int32(count), &time)
      guard error == 0 else { throw BenchmarkError("The store's floor failed: errno \(error).") }
      return Reading(Double(writers * count) / (Double(time) / 1e9))
    }
  }

  /// From a write to the moment at which an observer in another extension has heard of it, against one round trip of
  /// this host: the way leads through both extensions, and a commit.
  static let storeNotify = Workload(
    name: "store-notify",
    summary: "From a write to an observer in another extension, on one CPU, beside a round trip of this host",
    unit: .microseconds, count: 1000
  ) { bench, count in
    try await bench.measureStore(.defaultsNotify, count: count, observer: true)
  } floor: { bench, count in
    Reading(Samples(nanoseconds: try await bench.roundTrips(.full, count: count, at: .oneCPU), per: 1000))
  }
}

extension EchoHost {
  /// Starts more extensions until there are enough, then lets all of them write at once; writes a second.
  fileprivate func writes(_ count: Int, each writers: Int, _ started: [ExtensionProcess]) async throws -> Reading {
    guard started.count == writers else {
      return try await withEcho { echo in
        _ = try await echo.call(EchoMeasure(service: .defaultsWrite, count: 1))
        return try await writes(count, each: writers, started + [echo])
      }
    }
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for echo in started {
        group.addTask {
          _ = try await echo.call(EchoMeasure(service: .defaultsWrite, count: count), deadline: .seconds(120))
        }
      }
      try await group.waitForAll()
    }
    // A tenth is written to warm up, which is part of the time.
    let written = writers * (count + count / 10)
    return Reading(Double(written) / (ContinuousClock.now - start).seconds)
  }
}

extension Bench {
  /// Measures calls of one extension, while another answers its writes when `observer` is set.
  fileprivate func measureStore(
    _ service: EchoMeasure.Service, count: Int, observer: Bool = false
  ) async throws -> Reading {
    let store = SuiteStore.file { "\(folder)/groups.sqlite" }
    return try await withHost(.full, services: [DefaultsService(store: store)]) { host in
      try await host.withEcho(at: .oneCPU) { echo in
        let measure = EchoMeasure(service: service, count: count)
        guard observer else { return Reading(nanoseconds: try await echo.call(measure, deadline: .seconds(60))) }
        return try await host.withEcho { other in
          async let heard = other.call(EchoMeasure(service: .defaultsObserve, count: count), deadline: .seconds(60))
          _ = try await echo.call(measure, deadline: .seconds(60))
          return Reading(nanoseconds: try await heard)
        }
      }
    }
  }
}

extension Reading {
  fileprivate init(nanoseconds times: EchoMeasure.Result) {
    self.init(Double(times.median) / 1000, p99: Double(times.p99) / 1000)
  }
}

extension Duration {
  fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
