internal import JSON
internal import WebSocket

/// A frame of the server.
struct StreamReply: Sendable, Equatable {
  /// `nil` for one that concerns the whole stream.
  var requestID: String?
  var answer: ServerAnswer
  /// A name of the data's state, to be told when the subscription is made again.
  var etag: String?
  /// Whether nothing more comes for the request.
  var isCancelled = false
  /// Why the request was not executed.
  var refusal: DataConnectFailure.Refusal?

  init(requestID: String?, answer: ServerAnswer, etag: String? = nil, isCancelled: Bool = false) {
    self.requestID = requestID
    self.answer = answer
    self.etag = etag
    self.isCancelled = isCancelled
    refusal = Self.refusal(in: answer, isCancelled: isCancelled)
  }

  /// - Parameter message: text of an emulator, in which the frame is the "result" or the "error"; bytes of the service,
  ///   which are the frame itself.
  /// - Throws: what is wrong, as the end of a sentence.
  init(_ message: WebSocketMessage) throws(ServerAnswer.Misshapen) {
    let value: JSONValue?
    switch message {
    case .text(let text): value = try? JSONCoding.parse(text)
    case .binary(let bytes): value = try? JSONCoding.parse(bytes)
    default: value = nil
    }
    guard let object = value?.objectValue else { throw ServerAnswer.Misshapen(what: "a frame is no JSON object") }
    guard let frame = object["result"]?.objectValue ?? (object["error"] == nil ? object : nil) else {
      let id = object["error"]?["requestId"] ?? object["requestId"]
      self.init(requestID: id?.stringValue, answer: ServerAnswer(data: nil))
      refusal = DataConnectFailure.Refusal(value)
      return
    }
    self.init(
      requestID: frame["requestId"]?.stringValue, answer: try ServerAnswer(frame), etag: frame["dataEtag"]?.stringValue,
      isCancelled: frame["cancelled"]?.boolValue ?? false)
  }

  /// Errors of an operation that was executed have a path; one of a request that was not has a code, and no data.
  private static func refusal(in answer: ServerAnswer, isCancelled: Bool) -> DataConnectFailure.Refusal? {
    guard answer.data?.objectValue == nil, let error = answer.errors.first, error["path"]?.arrayValue?.isEmpty ?? true
    else { return nil }
    let code = error["extensions"]?["code"]?.stringValue
    guard isCancelled || code.map(refusing.contains) == true else { return nil }
    return DataConnectFailure.Refusal(status: code, message: error["message"]?.stringValue)
  }

  private static let refusing: Set<String> = [
    "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "INVALID_ARGUMENT", "UNAVAILABLE", "RESOURCE_EXHAUSTED",
    "DEADLINE_EXCEEDED",
  ]
}
