package import JSON
package import JSONRPC
import Text

/// Plays the host's side of a recording and judges the extension's. Pure.
///
/// A message of the host is due when everything that the extension had sent before it, in the recording, has come. The
/// extension's own messages are recognised by their method and params, in whatever order independent ones come; ids and
/// times have no meaning.
package struct ReplayScript: Sendable {
  /// A message that is due.
  package struct Step: Sendable, Equatable {
    /// The index of the message in the recording.
    package let index: Int
    /// The method of the request or notification.
    package let method: String
    /// The params as they were recorded.
    package let params: JSONValue
    /// Whether the extension owes an answer.
    package let isRequest: Bool
    /// What is done to a stream, in place of a message.
    var stream: StreamRole?
  }

  /// The host's part in a stream.
  enum StreamRole: Sendable, Equatable {
    case send(StreamContents)
    case read(RecordedStreams.Stream)
  }

  /// How a request ended.
  package enum Outcome: Sendable, Equatable {
    case result(JSONValue)
    case failure(ErrorObject)
  }

  private enum Expected {
    case answer(step: Int, Outcome)
    case call(method: String, params: JSONValue, answer: Outcome?)
    case notification(method: String, params: JSONValue)
    case stream(RecordedStreams.Stream)
  }

  private var steps: [(step: Step, needs: Int)] = []
  private var expected: [Expected] = []
  private var isMet: [Bool] = []
  private var sent = 0
  /// The differences found so far.
  package private(set) var differences: [ReplayDifference] = []

  /// What is no part of a program's behaviour, or is the runner's own.
  private static let ignored: Set<String> = ["terminate", "$/ping", "$/log", "$/progress", "$/setTrace"]

  /// Creates a script for a recording from its beginning.
  package init(_ recording: Recording) {
    var hostCalls: [JSONValue: Int] = [:]
    var extensionCalls: [JSONValue: Int] = [:]
    let streams = RecordedStreams(recording.frames)
    for (index, frame) in recording.frames.enumerated() {
      for action in streams.actions(at: index) { note(action) }
      let message = frame.message
      let id = message["id"]
      if let method = message["method"]?.stringValue {
        if Self.ignored.contains(method) || method.hasPrefix(RecordedStreams.prefix) || method == "$/cancelRequest" {
          continue
        }
        let params = message["params"] ?? .object([:])
        if frame.isFromHost {
          let step = Step(index: steps.count, method: method, params: params, isRequest: id != nil)
          if let id { hostCalls[id] = steps.count }
          steps.append((step, expected.count))
        } else if let id {
          extensionCalls[id] = expected.count
          expected.append(.call(method: method, params: params, answer: nil))
        } else {
          expected.append(.notification(method: method, params: params))
        }
      } else if let id, let outcome = Self.outcome(of: message) {
        if frame.isFromHost {
          if let index = extensionCalls[id], case .call(let method, let params, _) = expected[index] {
            expected[index] = .call(method: method, params: params, answer: outcome)
          }
        } else if let step = hostCalls.removeValue(forKey: id) {
          expected.append(.answer(step: step, outcome))
        }
      }
    }
    for action in streams.actions(at: recording.frames.count) { note(action) }
    isMet = expected.map { _ in false }
  }

  private mutating func note(_ action: RecordedStreams.Action) {
    let (method, role): (String, StreamRole)
    switch action {
    case .send(let contents): (method, role) = ("open", .send(contents))
    case .read(let stream): (method, role) = ("ack", .read(stream))
    case .complete(let stream): return expected.append(.stream(stream))
    }
    let step = Step(
      index: steps.count, method: RecordedStreams.prefix + method, params: .object([:]), isRequest: false, stream: role)
    steps.append((step, expected.count))
  }

  private static func outcome(of message: JSONValue) -> Outcome? {
    if let result = message["result"] { return .result(result) }
    guard let error = message["error"] else { return nil }
    return .failure(
      ErrorObject(
        code: Int(error["code"]?.integerValue ?? 0), message: error["message"]?.stringValue ?? "", data: error["data"]))
  }

  /// Whether everything was sent and came, or was given up.
  package var isDone: Bool { sent == steps.count && !isMet.contains(false) }

  /// The messages that have become due, in their order.
  package mutating func due() -> [Step] {
    var found: [Step] = []
    while sent < steps.count, isMet.prefix(steps[sent].needs).allSatisfy(\.self) {
      found.append(steps[sent].step)
      sent += 1
    }
    return found
  }

  /// Compares the answer of a request with the recorded one.
  package mutating func answered(_ step: Step, with outcome: Outcome) {
    let index = expected.firstIndex { if case .answer(step.index, _) = $0 { true } else { false } }
    let name = "the answer to \(step.method)"
    guard let index, case .answer(_, let recorded) = expected[index] else {
      // The recording ended before the answer arrived.
      return
    }
    isMet[index] = true
    compare(name, Self.value(of: recorded), Self.value(of: outcome))
  }

  /// - Returns: what the host had answered.
  package mutating func called(_ method: String, _ params: JSONValue) -> Outcome {
    if method == "$/ping" { return .result(["uptimeMs": 0]) }
    guard let index = recognise(method, params, isCall: true), case .call(_, _, let answer) = expected[index] else {
      differences.append(ReplayDifference(kind: .unexpected, message: "a call of \(method)", replayed: params))
      return .failure(.methodNotFound(method))
    }
    return answer ?? .failure(.cancelled("The recording has no answer to this call."))
  }

  /// Compares a notification of the extension with the recording.
  package mutating func notified(_ method: String, _ params: JSONValue) {
    if Self.ignored.contains(method) || method.hasPrefix("$/") { return }
    if recognise(method, params, isCall: false) == nil {
      differences.append(ReplayDifference(kind: .unexpected, message: "a notification \(method)", replayed: params))
    }
  }

  /// All of a stream has come that the host reads.
  mutating func streamed(_ stream: RecordedStreams.Stream, _ came: StreamContents) {
    let index = expected.firstIndex { if case .stream(stream) = $0 { true } else { false } }
    guard let index, !isMet[index] else { return }
    isMet[index] = true
    let recorded = stream.contents
    for (path, one, other) in FrameComparison.differences(recorded.value, came.cut(like: recorded).value) {
      let (one, other) = StreamContents.excerpts(one, other)
      differences.append(
        ReplayDifference(
          kind: .changed, message: "the stream \(stream.id)", path: path, recorded: one, replayed: other))
    }
  }

  /// Nothing has come for too long: what the next step waits for, or the end, will not come.
  package mutating func stalled() {
    let needs = sent < steps.count ? steps[sent].needs : expected.count
    for index in 0..<needs where !isMet[index] {
      isMet[index] = true
      let (name, value) = description(of: expected[index])
      differences.append(ReplayDifference(kind: .missing, message: name, recorded: value))
    }
  }

  /// The first of the messages that are still to come with this method, the same params before other ones.
  private mutating func recognise(_ method: String, _ params: JSONValue, isCall: Bool) -> Int? {
    var candidates: [(index: Int, params: JSONValue)] = []
    for (index, message) in expected.enumerated() where !isMet[index] {
      switch message {
      case .call(let name, let recorded, _) where isCall && name.hasBytes(of: method):
        candidates.append((index, recorded))
      case .notification(let name, let recorded) where !isCall && name.hasBytes(of: method):
        candidates.append((index, recorded))
      default: break
      }
    }
    let same = candidates.first { FrameComparison.differences($0.params, params).isEmpty }
    guard let found = same ?? candidates.first else { return nil }
    isMet[found.index] = true
    compare(isCall ? "the call of \(method)" : "the notification \(method)", found.params, params)
    return found.index
  }

  private mutating func compare(_ message: String, _ recorded: JSONValue, _ replayed: JSONValue) {
    for (path, one, other) in FrameComparison.differences(recorded, replayed) {
      differences.append(
        ReplayDifference(kind: .changed, message: message, path: path, recorded: one, replayed: other))
    }
  }

  private func description(of message: Expected) -> (String, JSONValue) {
    switch message {
    case .answer(let step, let outcome): ("the answer to \(steps[step].step.method)", Self.value(of: outcome))
    case .call(let method, let params, _): ("the call of \(method)", params)
    case .notification(let method, let params): ("the notification \(method)", params)
    case .stream(let stream): ("the stream \(stream.id)", ["size": .integer(Int64(stream.contents.size))])
    }
  }

  /// Of an error its code and message count.
  private static func value(of outcome: Outcome) -> JSONValue {
    switch outcome {
    case .result(let result): ["result": result]
    case .failure(let error): ["error": ["code": .integer(Int64(error.code)), "message": .string(error.message)]]
    }
  }
}
