import AppExtensions
import EchoContract

/// The extension of the benchmark, built and started as any other: it answers with what it got.
@main
struct Echo: AppExtension {
  static let points = [EchoPoint.definition]
  static let suiteName = "group.com.example.benchmarks"

  var handlers: [SessionHandler] {
    [
      SessionHandler(EchoText.self) { params, _ in params },
      SessionHandler(EchoObjects.self) { params, _ in params },
      SessionHandler(EchoCodableObjects.self) { params, _ in params },
      SessionHandler(EchoMeasure.self) { params, session in try await measure(params, on: session) },
    ]
  }

  private func measure(_ params: EchoMeasure, on session: ExtensionSession) async throws -> EchoMeasure.Result {
    let context = ExtensionContext(requestID: "", session: session)
    let defaults = context.defaults(suiteName: Self.suiteName)
    switch params.service {
    case .content:
      return try await times(params.count) {
        _ = try await session.call(Content.Execute(query: "wknd-shared/adventures-all"))
      }
    case .token:
      return try await times(params.count) {
        _ = try await session.call(Auth.Token(scopes: ["api://11112222-bbbb-3333-cccc-4444dddd5555/Items.Read"]))
      }
    case .data:
      let query = DataContract.Execute(
        connector: "bench/default", operation: "listAdventures", kind: .query, cache: .init(maxAgeMs: 600_000),
        location: "us-east4")
      return try await times(params.count) { _ = try await session.call(query) }
    case .defaults:
      // One read is too short for the clock.
      return try await times(params.count, of: 100) { _ = try await defaults.integer(forKey: "visits") }
    case .defaultsWrite:
      let value = PropertyListValue.data([UInt8](repeating: 120, count: 100))
      let name = UInt32.random(in: 0...(.max))
      var number = 0
      return try await times(params.count) {
        number += 1
        try await defaults.set(value, forKey: "\(name % 50).\(number % 50)")
      }
    case .defaultsNotify: return try await EchoNotify(defaults: defaults, count: params.count).write()
    case .sessionEvents: return try await sessionEvents(params.count, context)
    case .defaultsObserve: return try await EchoNotify(defaults: defaults, count: params.count).observe()
    }
  }

  /// Adds tasks that nobody makes, and says when it heard of the end of each.
  private func sessionEvents(_ count: Int, _ context: ExtensionContext) async throws -> EchoMeasure.Result {
    let session = try await context.backgroundSession("events", sharedContainer: Self.suiteName)
    var tasks: Set<Int64> = []
    for number in 0..<count {
      tasks.insert(try await session.download("http://127.0.0.1:9/", to: "file-\(number)"))
    }
    var moments: [Int64] = []
    // The last event of a round before comes again.
    for try await event in session.events where event.type == .didComplete && tasks.contains(event.taskID) {
      moments.append(EchoNotify.now())
      if moments.count == count { break }
    }
    return EchoMeasure.Result(moments: moments)
  }

  /// Does something many times, after a tenth as often to warm up; nanoseconds of each, or of each of some together.
  private func times(
    _ count: Int, of calls: Int = 1, _ body: () async throws -> Void
  ) async throws -> EchoMeasure.Result {
    var times: [Int64] = []
    times.reserveCapacity(count)
    for index in 0..<(count + count / 10) {
      let start = EchoNotify.now()
      for _ in 0..<calls { try await body() }
      if index >= count / 10 { times.append((EchoNotify.now() - start) / Int64(calls)) }
    }
    return EchoMeasure.Result(times)
  }
}
