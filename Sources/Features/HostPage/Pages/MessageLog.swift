import ExtensionHosting
import JSON

/// A message between a host and an extension, as it was recorded.
struct RecordedMessage: Sendable {
  /// Its place among all messages, from 0.
  let number: Int
  /// Seconds since the recording began.
  let time: Double
  let identifier: String
  let isFromHost: Bool
  /// The message as it was, without secrets; `nil` for what is no JSON.
  let frame: JSONValue?
  /// The bytes of the line of the recording.
  let size: Int

  /// - Parameter line: of a ``FrameRecorder``.
  init?(_ line: String, number: Int) {
    guard let value = try? JSONValue(parsing: line), let identifier = value["extension"]?.stringValue else {
      return nil
    }
    self.number = number
    time = value["t"]?.doubleValue ?? 0
    self.identifier = identifier
    isFromHost = value["direction"]?.stringValue == "toExtension"
    frame = value["frame"]
    size = line.utf8.count
  }

  /// The method of a request or a notification.
  var method: String? { frame?["method"]?.stringValue }
  /// What a request and its answer have in common; `nil` for a notification.
  var id: String? { frame?["id"].map { JSONCoding.text(of: $0) } }
  /// Whether it is the answer to a request of the other side.
  var isAnswer: Bool { method == nil && id != nil }
  /// The request of the host's that a user can have served once more; `nil` for every other message. The life cycle of a
  /// process (`initialize`, `terminate`) and the protocol's own methods are none.
  var request: (method: String, params: JSONValue)? {
    guard isFromHost, id != nil, let method, method.contains("/"), !method.hasPrefix("$/") else { return nil }
    return (method, frame?["params"] ?? [:])
  }
  /// Whether it is an answer with an error.
  var isError: Bool { frame?["error"] != nil }
}

/// The last messages, with the request that each answers.
struct MessageLog: Sendable {
  /// A message, and how it belongs to another.
  struct Entry: Sendable {
    let message: RecordedMessage
    /// The method: of the request that it answers, for an answer.
    let method: String
    /// Seconds from the request to its answer, for either; `nil` without an answer.
    var duration: Double?
  }

  private(set) var entries: [Entry] = []

  /// - Parameters:
  ///   - lines: of a recording, in order.
  ///   - first: the number of the first line.
  init(_ lines: [String], first: Int) {
    /// The place of a request in `entries`, by who asked whom, and its identifier.
    var open: [String: Int] = [:]
    for (offset, line) in lines.enumerated() {
      guard let message = RecordedMessage(line, number: first + offset) else { continue }
      func key(_ isFromHost: Bool) -> String { "\(message.identifier) \(isFromHost) \(message.id ?? "")" }
      if message.isAnswer {
        let request = open.removeValue(forKey: key(!message.isFromHost))
        let duration = request.map { max(0, message.time - entries[$0].message.time) }
        if let request { entries[request].duration = duration }
        let method = request.map { entries[$0].method } ?? "?"
        entries.append(Entry(message: message, method: method, duration: duration))
      } else {
        if message.id != nil { open[key(message.isFromHost)] = entries.count }
        entries.append(Entry(message: message, method: message.method ?? "no message"))
      }
    }
  }
}
