package import HTTPServer

/// One thing that goes wrong in place of an answer of the identity server.
package enum IdentityFault: Sendable, Equatable {
  /// A status with no body, or for 429 and 503 with `Retry-After`.
  case status(Int)
  /// A status with an error in JSON.
  case error(Int, String)
  /// The answer comes so much later.
  case slow(Duration)
  /// The connection ends without an answer.
  case dropped
  /// The connection ends when the request was done.
  case droppedAfter
  /// The connection ends in the middle of the answer, when the request was done.
  case halved
  /// Status 200 and a page for people.
  case page
  /// Status 200 and a JSON text that stops in the middle.
  case cut
  /// Any response instead.
  case response(ServerResponse)
}
