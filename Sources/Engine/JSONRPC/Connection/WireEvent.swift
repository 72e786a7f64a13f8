package import JSON

/// Something on the wire that is not as it should be and that the connection survived.
package enum WireEvent: Sendable, Hashable {
  /// Bytes between two messages.
  case noise(Noise)
  /// A message that is no JSON; answered with -32700 when the configuration says so.
  case malformed(JSONError)
  /// JSON that is no message, or a batch; answered with -32600 when it may have been a request.
  case invalid(String)
  /// A response to no request of ours: an id never used, or of the wrong kind (`"1"` for `1`).
  case unknownResponse(RequestID)
  /// A second response to one request.
  case duplicateResponse(RequestID)
  /// A response after the caller had given up.
  case lateResponse(RequestID)
  /// The peer could not read something of ours.
  case anonymousError(ErrorObject)
  /// A request with the id of one that is still being handled. It is ignored, as the two answers could not be
  /// distinguished.
  case duplicateRequest(RequestID)
  /// A request to cancel something that is not being answered.
  case unknownCancellation(RequestID?)
  /// More requests at once than allowed; answered with -32005.
  case tooManyRequests(RequestID)
  /// More unfinished notifications at once than allowed: this one was dropped.
  case notificationDropped(method: String)
  /// A notification that its handler refused, or that has wrong params.
  case notificationFailed(method: String, ErrorObject)
  /// A message of a stream that was never opened, or that ended long ago.
  case unknownStream(String)
  /// The peer broke the rules of a stream, which was then dropped.
  case streamViolation(String, why: String)
  /// An answer of ours did not fit and was replaced by an error.
  case answerReplaced(RequestID, ErrorObject)
}
