import AppExtensions
import Glibc
import Observation

/// A widget that does everything on the main actor: it keeps an observed model there, hears of its changes, and calls the
/// host from there.
@main
struct OnMain: TodayExtension {
  /// Of the process: the program begins on it.
  private let mainThread = pthread_self()
  private let early: Task<Int, Never>

  init() {
    // Before the extension serves anything.
    early = Task { @MainActor in Model.shared.count }
  }

  @MainActor func performUpdate(in context: ExtensionContext) async throws -> UpdateResult {
    MainActor.assertIsolated()
    let model = Model.shared
    let started = await early.value
    let lines = try await context.setPreferredContentHeight(9).grantedSize.height
    let seen = await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
      withObservationTracking {
        _ = model.count
      } onChange: {
        Task { @MainActor in continuation.resume(returning: model.count) }
      }
      Task.detached { await model.add(lines) }
    }
    let thread = pthread_self() == mainThread ? "the main thread" : "another thread"
    return .newData("\(started), then \(seen) lines on \(thread)")
  }
}

@MainActor @Observable
final class Model {
  static let shared = Model()
  private(set) var count = 0

  func add(_ number: Int) { count += number }
}
