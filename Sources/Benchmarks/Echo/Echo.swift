import AppExtensions
import EchoContract
import Glibc

/// The extension of the benchmark, built and started as any other: it answers with what it got.
@main
struct Echo: AppExtension {
  static let suiteName = "group.com.example.benchmarks"

  var handlers: [SessionHandler] {
    [
      SessionHandler(EchoText.self) { params, _ in params },
      SessionHandler(EchoObjects.self) { params, _ in params },
      SessionHandler(EchoTypedObjects.self) { params, _ in params },
      SessionHandler(EchoMeasure.self) { params, session in try await measure(params, on: session) },
    ]
  }

  private func measure(_ params: EchoMeasure, on session: ExtensionSession) async throws -> EchoMeasure.Result {
    var times: [Int64] = []
    times.reserveCapacity(params.count)
    for index in 0..<(params.count + params.count / 10) {
      let start = now()
      switch params.service {
      case .defaults: _ = try await session.call(Defaults.Get(suite: Self.suiteName, key: "visits"))
      case .content: _ = try await session.call(Content.Execute(query: "wknd-shared/adventures-all"))
      }
      if index >= params.count / 10 { times.append(now() - start) }
    }
    times.sort()
    guard let last = times.last else { return EchoMeasure.Result(median: 0, p99: 0) }
    return EchoMeasure.Result(median: times[times.count / 2], p99: times.dropLast(times.count / 100).last ?? last)
  }

  /// Monotonic nanoseconds.
  private func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
