import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1))) struct `A recorder of calls` {
  private let recorder = CallRecorder(for: HostMeter(), point: "clock")

  @Test func `tells what came since the last time`() {
    for _ in 0..<2 {
      recorder.record(.call, "a/b", since: 5, at: 3_000_005, failed: true)
      recorder.record(.call, "a/b", since: 5, at: 5, failed: false)
      // A clock that went back is no time.
      recorder.record(.served, "a/b", since: 5, at: 4, failed: false)
      recorder.count { $0.warm += 1 }
      let taken = recorder.take()
      #expect(taken.calls["a/b"]?.latency.count == 2 && taken.calls["a/b"]?.errors == 1)
      #expect(taken.calls["a/b"]?.latency.longest == 3_000_000)
      #expect(taken.served["a/b"]?.latency.count == 1 && taken.served["a/b"]?.latency.longest == 0)
      #expect(taken.served["a/b"]?.errors == 0 && taken.warm == 1)
      #expect(recorder.take() == ExtensionStatistics())
    }
  }

  @Test func `names 64 methods, and counts the others together`() {
    for number in 0..<64 { recorder.record(.call, "m\(number)", since: 0, at: 1, failed: false) }
    for name in ["m0", "x", "m63", "y", "x"] { recorder.record(.call, name, since: 0, at: 1, failed: false) }
    recorder.record(.served, "x", since: 0, at: 1, failed: false)
    let taken = recorder.take()
    #expect(taken.calls.count == 65 && taken.calls["other"]?.latency.count == 3)
    #expect(taken.calls["m0"]?.latency.count == 2 && taken.calls["m63"]?.latency.count == 2)
    #expect(taken.calls["m1"]?.latency.count == 1 && taken.served.keys.sorted() == ["x"])
    // In what is added up as well.
    var sum = ExtensionStatistics()
    for _ in 0..<2 { sum.add(taken) }
    #expect(sum.calls.values.reduce(0) { $0 + $1.latency.count } == 138)
    #expect(sum.calls["other"].map { $0.latency.count >= 6 } == true)
  }
}
