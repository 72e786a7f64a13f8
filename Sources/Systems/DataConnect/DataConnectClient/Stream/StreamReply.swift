internal import JSON
internal import WebSocket

/// A frame of the server.
struct StreamReply: Sendable, Equatable {
  /// `nil` for one that concerns the whole stream.
  var requestID: String?
  var answer: DataResponse
  /// The tag of the data's state, which the client sends when it subscribes again.
  var etag: String?
  /// Whether nothing more comes for the request.
  var isCancelled = false
  /// The server's reason for not executing the request.
  var refusal: DataConnectFailure.Refusal?

  init(requestID: String?, answer: DataResponse, etag: String? = nil, isCancelled: Bool = false) {
    self.requestID = requestID
    self.answer = answer
    self.etag = etag
    self.isCancelled = isCancelled
    refusal = Self.refusal(in: answer, isCancelled: isCancelled)
  }

  /// - Parameter message: text of an emulator, in which the frame is the "result" or the "error"; bytes of the service,
  ///   which are the frame itself.
  /// - Throws: what is wrong, as the end of a sentence.
  init(_ message: WebSocketMessage) throws(DataResponse.Misshapen) {
    let value: JSONValue?
    switch message {
    case .text(let text): value = try? JSONCoding.parse(text)
    case .binary(let bytes): value = try? JSONCoding.parse(bytes)
    default: value = nil
    }
    guard let object = value?.objectValue else { throw DataResponse.Misshapen(what: "a frame is not a JSON object") }
    guard let frame = object["result"]?.objectValue ?? (object["error"] == nil ? object : nil) else {
      let id = object["error"]?["requestId"] ?? object["requestId"]
      self.init(requestID: id?.stringValue, answer: DataResponse(data: nil, source: .server))
      refusal = DataConnectFailure.Refusal(value)
      return
    }
    self.init(
      requestID: frame["requestId"]?.stringValue, answer: try DataResponse(frame), etag: frame["dataEtag"]?.stringValue,
      isCancelled: frame["cancelled"]?.boolValue ?? false)
  }

  /// Errors of an operation that was executed have a path; one of a request that was not has a code, and no data.
  private static func refusal(in answer: DataResponse, isCancelled: Bool) -> DataConnectFailure.Refusal? {
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
