import AppExtensions
import EchoContract
import Glibc

/// The two ends of the measurement of how long a write takes to an observer. The observer answers each write with one
/// of its own before the next one comes: what is measured is the way, and not a queue.
struct EchoNotify: Sendable {
  let defaults: SuiteDefaults
  let count: Int

  /// Waits for the observer, writes the time again and again, and says that it was the last.
  func write() async throws -> EchoMeasure.Result {
    let changes = try await defaults.changes(prefix: "ready")
    if try await !defaults.bool(forKey: "ready") {
      for try await _ in changes where try await defaults.bool(forKey: "ready") { break }
    }
    var answers = try await defaults.changes(prefix: "seen").makeAsyncIterator()
    for _ in 0..<count {
      try await defaults.set(Int(Self.now()), forKey: "notify.time")
      _ = try await answers.next()
    }
    try await defaults.setMany(["notify.end": true], removing: ["ready"])
    return EchoMeasure.Result([])
  }

  /// Hears of the writes until the last.
  func observe() async throws -> EchoMeasure.Result {
    let changes = try await defaults.changes(prefix: "notify.")
    try await defaults.set(true, forKey: "ready")
    var times: [Int64] = []
    for try await change in changes {
      let heard = Self.now()
      if change.keys.contains("notify.end") { break }
      times.append(heard - Int64(try await defaults.integer(forKey: "notify.time")))
      try await defaults.set(times.count, forKey: "seen")
    }
    return EchoMeasure.Result(times)
  }

  /// Monotonic nanoseconds, the same clock in every process.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension EchoMeasure.Result {
  /// The middle and the slowest hundredth of some times.
  init(_ times: [Int64]) {
    let sorted = times.sorted()
    self.init(
      median: sorted.isEmpty ? 0 : sorted[sorted.count / 2],
      p99: sorted.dropLast(sorted.count / 100).last ?? 0)
  }
}
