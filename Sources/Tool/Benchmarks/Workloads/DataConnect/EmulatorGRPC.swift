import MeasuredHost
import BenchmarkResults
import EventLoop
import HTTPServer

extension Workload {
  /// The same lookup by gRPC as by REST, each over one connection.
  static let emulatorGRPC = Workload(
    name: "emulator-grpc",
    summary: "The emulator finds a row by its key for a client of gRPC, beside the same by REST",
    unit: .microseconds, count: 2000
  ) { bench, count in
    try await MeasuredEmulator.run(in: bench.folder) { emulator in
      let port = emulator.address.port
      return try await SystemThread.run(name: "caller") { Result { try times(port, count) } }.get()
    }
  } floor: { bench, count in
    try await MeasuredEmulator.run(in: bench.folder) { try await $0.times(of: .lookup(), count) }
  }

  private static func times(_ port: Int, _ count: Int) throws -> Reading {
    let caller = try BareRemoteCaller(port: port, .lookup())
    var times: [Double] = []
    for round in 0..<(count + count / 10) {
      let start = ContinuousClock.now
      let answer = try caller.call()
      let time = (ContinuousClock.now - start) / .microseconds(1)
      guard answer.firstRange(of: Array("Trip".utf8)) != nil else {
        throw BenchmarkError("The answer had \(answer.count) bytes and no trip.")
      }
      if round >= count / 10 { times.append(time) }
    }
    return Reading(Samples(times))
  }
}
