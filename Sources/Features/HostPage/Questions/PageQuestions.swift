import Cryptography
public import ExtensionHosting
import ExtensionProtocol
import Synchronization

/// The questions of extensions that wait for the user of the page, one after the other.
///
/// A question that nobody answers within ten minutes, or that ends because its extension does, is undecided: so is one that
/// waits when the page ends. Nothing else than a button stands for an answer.
public final class PageQuestions: Sendable {
  private struct Waiting {
    let id: String
    let question: PermissionQuestion
    let continuation: CheckedContinuation<Consent.Answer, Never>
    var shownAt: ContinuousClock.Instant?
  }

  /// A question as a page shows it.
  struct Shown: Sendable {
    let id: String
    let question: PermissionQuestion
    /// How many wait behind it.
    let others: Int
  }

  /// What became of an answer.
  enum Outcome: Sendable, Equatable {
    case taken
    /// The question had appeared too short a time before: a click that was meant for something else.
    case early
    /// Nobody waits for it any more.
    case gone
  }

  private struct State {
    var waiting: [Waiting] = []
    var changed: (@Sendable () -> Void)?
    var isServed = false
  }

  private static let patience = Duration.seconds(600)

  /// How long no answer counts after the question has appeared.
  private let pause: Duration
  private let state = Mutex(State())

  /// Creates a list without questions.
  public convenience init() { self.init(pause: .milliseconds(500)) }

  /// - Parameter pause: how long no answer counts after the question has appeared.
  init(pause: Duration) { self.pause = pause }

  /// How many questions wait.
  var count: Int { state.withLock { $0.waiting.count } }

  /// Asks the user of the page. Pass it to `PermissionAuthority` as `consent: .ask(questions.ask)`.
  ///
  /// - Returns: what a button of the page said; `dismissed` when nobody answered, and while no page is served.
  @Sendable public func ask(_ question: PermissionQuestion) async -> Consent.Answer {
    let id = Hexadecimal.text(for: SecureRandom.bytes(16))
    return await withTaskGroup(of: Consent.Answer.self) { group in
      group.addTask { await self.wait(for: question, id: id) }
      group.addTask {
        try? await Task.sleep(for: Self.patience)
        return .dismissed
      }
      let answer = await group.next() ?? .dismissed
      group.cancelAll()
      return answer
    }
  }

  private func wait(for question: PermissionQuestion, id: String) async -> Consent.Answer {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          guard state.isServed, !Task.isCancelled else { return false }
          state.waiting.append(Waiting(id: id, question: question, continuation: continuation))
          return true
        }
        if isWaiting { notify() } else { continuation.resume(returning: .dismissed) }
      }
    } onCancel: {
      end(id, with: .dismissed)
    }
  }

  /// The first question, which counts as seen from now on.
  func show() -> Shown? {
    state.withLock { state in
      guard let first = state.waiting.first else { return nil }
      if first.shownAt == nil { state.waiting[0].shownAt = .now }
      return Shown(id: first.id, question: first.question, others: state.waiting.count - 1)
    }
  }

  /// Answers a question.
  func answer(_ id: String, _ answer: Consent.Answer) -> Outcome {
    let outcome = state.withLock { state -> Outcome in
      guard let first = state.waiting.first, first.id == id else { return .gone }
      guard let shownAt = first.shownAt, ContinuousClock.now - shownAt >= pause else { return .early }
      return .taken
    }
    guard outcome == .taken else { return outcome }
    return end(id, with: answer) ? .taken : .gone
  }

  @discardableResult
  private func end(_ id: String, with answer: Consent.Answer) -> Bool {
    let found = state.withLock { state -> Waiting? in
      guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
      return state.waiting.remove(at: index)
    }
    guard let found else { return false }
    found.continuation.resume(returning: answer)
    notify()
    return true
  }

  private func notify() { state.withLock { $0.changed }?() }

  /// A page is served from now on, and wants to know of changes.
  func whenChanged(_ changed: @escaping @Sendable () -> Void) {
    state.withLock { ($0.changed, $0.isServed) = (changed, true) }
  }

  /// No page is served any more: all questions are undecided.
  func end() {
    let waiting = state.withLock { state in
      defer { (state.waiting, state.changed, state.isServed) = ([], nil, false) }
      return state.waiting
    }
    for one in waiting { one.continuation.resume(returning: .dismissed) }
  }
}

/// What a button of a question says.
enum PageAnswerWord: String, CaseIterable {
  case once, session, always, never, later

  var answer: Consent.Answer {
    switch self {
    case .once: .grantedOnce
    case .session: .grantedForSession
    case .always: .granted
    case .never: .denied
    case .later: .dismissed
    }
  }

  var label: String {
    switch self {
    case .once: "Allow once"
    case .session: "Allow for this session"
    case .always: "Always allow"
    case .never: "Never allow"
    case .later: "Decide later"
    }
  }

  /// What the user is told when it was done.
  var note: String {
    switch self {
    case .once: "Allowed until this run of the extension ends."
    case .session: "Allowed until this host ends."
    case .always: "Allowed. The page Decisions takes it back."
    case .never: "Refused. The page Decisions takes it back."
    case .later: "Not decided. The extension may ask again when it runs again."
    }
  }
}
