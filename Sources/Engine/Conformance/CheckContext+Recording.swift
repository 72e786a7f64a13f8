package import ExtensionHosting
import ExtensionProtocol
package import JSON

/// The recorded messages between the real host and the extension.
extension CheckContext {
  /// Returns the conversations so far, one for each process: the frames from `initialize` on. If there are none, runs
  /// the main scenario first.
  package func conversations() async throws -> [[Recording.Frame]] {
    if host.recorder.recording.frames == 0 {
      do { try await mainScenario() } catch is CheckFailure {}
    }
    let recording = try Recording(parsing: host.recorder.recording.text, for: target.identity.id)
    var conversations: [[Recording.Frame]] = []
    for frame in recording.frames {
      let isFirst = frame.isFromHost && frame.message["method"]?.stringValue == Initialize.method
      if isFirst || conversations.isEmpty { conversations.append([]) }
      conversations[conversations.count - 1].append(frame)
    }
    return conversations
  }

  /// The main thing that the point is for; of a point that no feature knows, an extension is started and ended.
  private func mainScenario() async throws {
    if let feature { return try await feature.mainScenario(self) }
    _ = try await withExtension { _ in true }
  }

  /// Whether the extension answered a method in the last conversation.
  package func hasAnswered(_ method: String) async throws -> Bool { try await ownAnswer(to: method) != nil }

  /// The error that the extension itself answered a method with, in the last conversation.
  package func ownError(answering method: String) async throws -> JSONValue? {
    try await ownAnswer(to: method)?["error"]
  }

  /// Whether the extension called a method of the host in the last conversation.
  package func hasCalled(_ method: String) async throws -> Bool {
    try await conversations().last?.contains { !$0.isFromHost && $0.message["method"]?.stringValue == method } ?? false
  }

  /// The error with which the host refused a call of the extension, in the last conversation.
  package func refusal(of method: String) async throws -> JSONValue? {
    let last = try await conversations().last ?? []
    let calls = last.filter { !$0.isFromHost && $0.message["method"]?.stringValue == method }
    let ids = Set(calls.compactMap { $0.message["id"] })
    let answers = last.filter { $0.isFromHost && $0.message["method"] == nil }
    return answers.first { $0.message["error"] != nil && ids.contains($0.message["id"] ?? .null) }?.message["error"]
  }

  /// Waits until the extension has answered a request, and the host every call of a method that the extension has sent
  /// meanwhile, but no longer than a limit: what was read before the end of a check may be answered after it.
  ///
  /// - Parameter request: the last request of the host's with this method.
  package func untilAnswered(_ method: String, during request: String, within limit: Duration) async throws {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      let last = try await conversations().last ?? []
      let calls = last.filter { !$0.isFromHost && $0.message["method"]?.stringValue == method }
      let ids = Set(calls.compactMap { $0.message["id"] })
      let answers = last.filter {
        $0.isFromHost && $0.message["method"] == nil && ids.contains($0.message["id"] ?? .null)
      }
      if answers.count >= calls.count, try await ownAnswer(to: request) != nil { return }
      await Task.yield()
    }
  }

  private func ownAnswer(to method: String) async throws -> JSONValue? {
    guard let last = try await conversations().last,
      let request = last.last(where: { $0.isFromHost && $0.message["method"]?.stringValue == method })
    else { return nil }
    return last.last { !$0.isFromHost && $0.message["method"] == nil && $0.message["id"] == request.message["id"] }?
      .message
  }
}
