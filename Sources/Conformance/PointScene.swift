import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSONRPC

/// What a user would do with an extension, on a real host; every message of it is written down.
extension CheckBench {
  var point: ExtensionPoint { target.identity.point }

  /// Starts the extension on the real host.
  ///
  /// - Throws: ``CheckFailure`` with what the host says of it.
  func withExtension<Result: Sendable>(
    _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    _ = try await HealthStore(stand.host.configuration.state).reset(target.identity.id)
    do {
      return try await stand.host.withTarget(target, body)
    } catch let error as ExtensionError {
      var lines: [String] = []
      if case .array(let values) = error.details["standardError"] { lines = values.compactMap(\.stringValue) }
      throw CheckFailure(error.message, lines: lines)
    }
  }

  /// The main thing that the point is for.
  func mainScene() async throws {
    switch point {
    case .today:
      _ = try await withExtension { try await $0.performUpdate(requests: stand.requests, deadline: patience) }
    case .share: _ = try await withExtension { try await post(with: $0) }
    case .action, .actionUI:
      _ = try await withExtension {
        try await $0.perform([Self.item], requests: stand.requests, deadline: patience * 2)
      }
    case .keyboard: try await withField { try await press(Keyboard.Input.Event("a"), in: $0) }
    default: _ = try await withExtension { _ in true }
    }
  }

  func post(with process: ExtensionProcess) async throws -> RequestService.Outcome {
    try await process.compose([Self.item], requests: stand.requests, service: stand.share) { sheet in
      _ = try await sheet.setText(Self.text)
      return try await sheet.post(deadline: patience * 2)
    }
  }

  static let text = "Conformance"
  static let item = ExtensionItem(title: text, attachments: [.text(text)])

  /// The conversations so far, one for each process: the frames from `initialize` on. When there are none, the main thing
  /// is done first.
  func conversations() async throws -> [[Recording.Frame]] {
    if stand.recorder.recording.frames == 0 {
      do { try await mainScene() } catch is CheckFailure {}
    }
    let recording = try Recording(parsing: stand.recorder.recording.text, for: target.identity.id)
    var conversations: [[Recording.Frame]] = []
    for frame in recording.frames {
      let isFirst = frame.isFromHost && frame.message["method"]?.stringValue == Initialize.method
      if isFirst || conversations.isEmpty { conversations.append([]) }
      conversations[conversations.count - 1].append(frame)
    }
    return conversations
  }

  /// Whether the extension answered a method in the last conversation.
  func hasAnswered(_ method: String) async throws -> Bool { try await ownAnswer(to: method) != nil }

  /// The error that the extension itself answered a method with, in the last conversation.
  func ownError(answering method: String) async throws -> JSONValue? { try await ownAnswer(to: method)?["error"] }

  /// Whether the extension called a method of the host in the last conversation.
  func hasCalled(_ method: String) async throws -> Bool {
    try await conversations().last?.contains { !$0.isFromHost && $0.message["method"]?.stringValue == method } ?? false
  }

  /// The error with which the host refused a call of the extension, in the last conversation.
  func refusal(of method: String) async throws -> JSONValue? {
    let last = try await conversations().last ?? []
    let calls = last.filter { !$0.isFromHost && $0.message["method"]?.stringValue == method }
    let ids = Set(calls.compactMap { $0.message["id"] })
    let answers = last.filter { $0.isFromHost && $0.message["method"] == nil }
    return answers.first { $0.message["error"] != nil && ids.contains($0.message["id"] ?? .null) }?.message["error"]
  }

  private func ownAnswer(to method: String) async throws -> JSONValue? {
    guard let last = try await conversations().last,
      let request = last.last(where: { $0.isFromHost && $0.message["method"]?.stringValue == method })
    else { return nil }
    return last.last { !$0.isFromHost && $0.message["method"] == nil && $0.message["id"] == request.message["id"] }?
      .message
  }
}
