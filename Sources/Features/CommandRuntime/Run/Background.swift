package import EventLoop

/// What goes on beside a command and ends with it: the own work of the services of each host that the command makes.
package struct Background: Sendable {
  /// Work that is cancelled when the command ends.
  package typealias Work = @Sendable () async -> Void

  private let works: AsyncStream<Work>
  private let continuation: AsyncStream<Work>.Continuation

  init() { (works, continuation) = AsyncStream.makeStream() }

  /// Begins something, while ``beside(on:_:)`` runs or as soon as it does.
  func add(_ work: @escaping Work) { continuation.yield(work) }

  /// Runs the body with what is begun beside it, which is then cancelled and waited for. Once.
  package func beside<Value>(on loop: EventLoop, _ body: () async throws -> Value) async throws -> Value {
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask(executorPreference: loop) { [works] in
        await withDiscardingTaskGroup { group in
          for await work in works { group.addTask(executorPreference: loop) { await work() } }
        }
      }
      defer { group.cancelAll() }
      return try await body()
    }
  }
}
