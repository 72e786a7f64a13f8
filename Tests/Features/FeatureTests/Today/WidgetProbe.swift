import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Synchronization
import Testing

/// A Today widget that does what a test tells it.
struct WidgetProbe: TodayExtension {
  typealias Update = @Sendable (ExtensionContext) async throws -> UpdateResult

  @TaskLocal static var current: Update = { _ in .noData }
  private let update = Self.current

  func performUpdate(in context: ExtensionContext) async throws -> UpdateResult { try await update(context) }
}

extension TestHost {
  /// Updates a widget that does what the closure says.
  ///
  /// - Parameter prepare: gets the process before.
  func update(
    as identity: Caller.Identity = .testing(), requests: RequestService? = nil, deadline: Duration = .seconds(50),
    preparing prepare: (ExtensionProcess) -> Void = { _ in }, _ update: @escaping WidgetProbe.Update
  ) async throws -> UpdateResult {
    try await WidgetProbe.$current.withValue(update) {
      try await withExtension(WidgetProbe.self, identity: identity) { process in
        prepare(process)
        if identity.point == .today { return try await process.performUpdate(requests: requests, deadline: deadline) }
        // What a host does not send to another point: here the call only makes the closure run.
        return try await (requests ?? RequestService()).withRequest(of: process) { requestID in
          let update = Today.PerformUpdate(
            requestID: requestID, reason: .visible, displayMode: .compact, maxSize: WidgetSize(width: 80, height: 20))
          return try await process.connection.call(
            Today.PerformUpdate.method, update, returning: UpdateResult.self, deadline: deadline)
        }
      }
    }
  }

  /// Runs a closure inside a widget and gives its value; what it throws is thrown as it is.
  func inWidget<Value: Sendable>(
    as identity: Caller.Identity = .testing(), requests: RequestService? = nil,
    preparing prepare: (ExtensionProcess) -> Void = { _ in },
    _ body: @escaping @Sendable (ExtensionContext) async throws -> Value
  ) async throws -> Value {
    let outcome = Kept<Result<Value, any Error>>()
    let result = try await update(as: identity, requests: requests, preparing: prepare) { context in
      do { outcome.keep(.success(try await body(context))) } catch { outcome.keep(.failure(error)) }
      return .noData
    }
    #expect(result == .noData)
    return try #require(outcome.value).get()
  }
}

/// A place for one value that another task leaves.
final class Kept<Value: Sendable>: Sendable {
  private let place = Mutex<Value?>(nil)

  var value: Value? { place.withLock { $0 } }

  func keep(_ value: Value) { place.withLock { $0 = value } }
}

/// Waits until the task is cancelled.
func waitForever() async {
  let (never, continuation) = AsyncStream.makeStream(of: Void.self)
  for await _ in never {}
  continuation.finish()
}
