import MeasuredHost
import BenchmarkResults
import HTTPClient
import WebSocket

extension Workload {
  /// From a write to the moment at which a subscriber of the row has its frame, both over WebSockets. The least of it is a
  /// durable write and a lookup, so beside it stand both of them behind a server in C.
  static let emulatorPush = Workload(
    name: "emulator-push",
    summary: "From a durable write to the frame of a subscriber of that row, beside an insert and a lookup in C",
    unit: .microseconds, count: 500
  ) { bench, count in
    try await MeasuredEmulator.run(in: bench.folder) { emulator in
      let client = HTTPClient()
      let (writer, reader) = (try await emulator.stream(client), try await emulator.stream(client))
      try await reader.send(text: MeasuredEmulator.frame("subscribe", .lookup(), as: "row"))
      _ = try await reader.nextText()
      var times: [Double] = []
      for round in 0..<(count + count / 10) {
        let title = "Round \(round) of \(UInt32.random(in: 0...(.max)))"
        let frame = MeasuredEmulator.frame("execute", .rename(7, to: title), as: "\(round)")
        let start = ContinuousClock.now
        try await writer.send(text: frame)
        let update = try await reader.nextText()
        if round >= count / 10 { times.append((ContinuousClock.now - start) / .microseconds(1)) }
        let answer = try await writer.nextText()
        guard update.contains(title), !answer.contains("errors") else {
          throw BenchmarkError("The write was not seen: \(update.prefix(300)) \(answer.prefix(300))")
        }
      }
      await writer.close()
      await reader.close()
      return Reading(Samples(times))
    }
  } floor: { bench, count in
    try await MeasuredEmulator.run(in: bench.folder) { emulator in
      let write = try await emulator.floor(of: .insert, count)
      return Reading(write.value + (try await emulator.floor(of: .lookup(), count)).value)
    }
  }
}
