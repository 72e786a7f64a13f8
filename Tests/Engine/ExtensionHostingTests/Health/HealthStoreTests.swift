import ExtensionProtocol
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1))) struct `The health store` {
  private static func failure(_ number: Int) -> HealthRecord.Failure {
    var failure = HealthRecord.Failure(time: Double(number), kind: .exited, message: "It exited with status 3.")
    failure.status = 3
    failure.standardError = ["a line", "another"]
    return failure
  }

  @Test func `keeps a record`() async throws {
    let folder = try TemporaryFolder()
    let state = StateDirectory(path: folder.path)
    try await HealthStore(state).change("com.example.a") { $0.failed(Self.failure(1), executable: "x") }
    let record = HealthStore(state).record(of: "com.example.a")
    #expect(record.lastFailure == Self.failure(1))
    #expect(record.consecutive == 1)
    #expect(HealthStore(state).record(of: "com.example.b") == HealthRecord())
  }

  @Test func `loses nothing when several hosts write at once`() async throws {
    let folder = try TemporaryFolder()
    let state = StateDirectory(path: folder.path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<10 { try await HealthStore(state).change("com.example.a") { $0.restart() } } }
      }
      try await group.waitForAll()
    }
    #expect(HealthStore(state).record(of: "com.example.a").generation == 80)
  }

  @Test func `begins anew after a damaged file, and tells of it`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("health/com.example.a.json", "{\"failures\": 7".utf8)
    let store = HealthStore(StateDirectory(path: folder.path))
    #expect(store.record(of: "com.example.a").failures.map(\.kind) == [.recordDamaged])
    try await store.change("com.example.a") { $0.failed(Self.failure(2), executable: nil) }
    #expect(store.record(of: "com.example.a").failures.map(\.kind) == [.recordDamaged, .exited])
  }

  @Test(arguments: ["", "../up", ".hidden", "a/b", String(repeating: "x", count: 300)])
  func `has no file for what is no name`(id: String) async throws {
    let folder = try TemporaryFolder()
    let store = HealthStore(StateDirectory(path: folder.path))
    #expect(store.record(of: id) == HealthRecord())
    await #expect(throws: ExtensionError.self) { try await store.change(id) { $0.restart() } }
  }

  @Test func `adds statistics up`() async throws {
    let folder = try TemporaryFolder()
    let store = StatisticsStore(StateDirectory(path: folder.path))
    let recorder = CallRecorder(for: HostMeter(), point: "clock")
    for number in 0..<200 {
      recorder.record(.call, "widget/performUpdate", since: 0, at: 1, failed: number % 4 == 0)
      recorder.record(.served, "method/\(number)", since: 0, at: 1, failed: false)
    }
    recorder.count { $0.launches += 1 }
    try await store.add(recorder.take(), to: "com.example.a")
    try await store.add(recorder.take(), to: "com.example.a")
    let statistics = store.statistics(of: "com.example.a")
    #expect(statistics.launches == 1)
    #expect(statistics.calls["widget/performUpdate"]?.latency.count == 200)
    #expect(statistics.calls["widget/performUpdate"]?.errors == 50)
    #expect(statistics.served.count <= ExtensionStatistics.methodLimit + 1)
    #expect(statistics.served.values.reduce(0) { $0 + $1.latency.count } == 200)
    #expect(store.identifiers == ["com.example.a"])
  }
}

@Suite(.timeLimit(.minutes(1))) struct `What the last processes used` {
  private static let id = "com.example.a"

  @Test func `is kept of twenty of them, the newest last`() async throws {
    let folder = try TemporaryFolder()
    let store = StatisticsStore(StateDirectory(path: folder.path))
    for number in 1...25 {
      var statistics = ExtensionStatistics()
      statistics.runs = [.init(ended: Double(number), peakMemory: Int64(number) << 20, processorTime: 5)]
      try await store.add(statistics, to: Self.id)
    }
    let runs = store.statistics(of: Self.id).runs
    #expect(runs.count == ExtensionStatistics.runLimit && runs.map(\.ended) == (6...25).map(Double.init))
    #expect(runs.last?.peakMemory == 25 << 20 && runs.last?.processorTime == 5)
  }

  @Test func `is nothing in a file of a version that did not measure it, and is cut in one that has more`() throws {
    let folder = try TemporaryFolder()
    let store = StatisticsStore(StateDirectory(path: folder.path))
    var object = try #require(JSONCoding.value(of: ExtensionStatistics()).objectValue)
    object["runs"] = nil
    object["launches"] = 7
    try folder.write("statistics/\(Self.id).json", JSONCoding.text(of: .object(object)).utf8)
    #expect(store.statistics(of: Self.id).launches == 7 && store.statistics(of: Self.id).runs == [])
    let run: JSONValue = ["ended": 1, "peakMemory": 2, "processorTime": 3]
    object["runs"] = .array(Array(repeating: run, count: 1_000))
    try folder.write("statistics/\(Self.id).json", JSONCoding.text(of: .object(object)).utf8)
    #expect(store.statistics(of: Self.id).runs.count == ExtensionStatistics.runLimit)
  }

  @Test func `is never less than nothing, or more than a number holds`() {
    let run = ExtensionStatistics.Run(ended: 1, peakMemory: -1, processorTime: .max)
    #expect(run.peakMemory == 0 && run.processorTime == .largestCount)
    let (small, large) = (
      ProcessUse(peakMemory: 1, processorTime: .seconds(3)), ProcessUse(peakMemory: 2, processorTime: .seconds(1))
    )
    #expect(small.joined(with: large) == ProcessUse(peakMemory: 2, processorTime: .seconds(3)))
    #expect(small.joined(with: nil) == small)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Memory pressure` {
  @Test func `is read from the kernel's words`() {
    let pressure = "some avg10=12.50 avg60=0.00 avg300=0.00 total=1\nfull avg10=99.00 avg60=0.00 total=0\n"
    #expect(MemoryPressure.stalled(pressure) == 12.5)
    #expect(MemoryPressure.stalled("") == nil)
    #expect(MemoryPressure.available("MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:   250 kB\n") == 0.25)
    #expect(MemoryPressure.available("MemTotal: 0 kB") == nil)
  }

  @Test func `is not known where the kernel says less`() {
    for pressure in ["full avg10=99.00 avg60=0.00\n", "some avg60=12.50 total=1\n", "some avg10=x\n", "some \n"] {
      #expect(MemoryPressure.stalled(pressure) == nil, "\(pressure)")
    }
    #expect(MemoryPressure.stalled("full avg10=1.00\nsome avg10=0.25 avg60=1\n") == 0.25)
    for text in [
      "", "MemTotal: 1000 kB\n", "MemAvailable: 250 kB\n", "MemTotal: 0 kB\nMemAvailable: 250 kB\n", "MemTotal:\n",
      "MemTotal: x kB\nMemAvailable: 250 kB\n", "MemTotal: 1000 kB\nMemAvailable: x kB\nMemFree: 250 kB\n",
    ] {
      #expect(MemoryPressure.available(text) == nil, "\(text)")
    }
    #expect(MemoryPressure.available("MemAvailable: 0 kB\nMemTotal: 1000 kB\n") == 0)
  }
}
