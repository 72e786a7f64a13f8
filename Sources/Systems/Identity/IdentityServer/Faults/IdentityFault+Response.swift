import HTTPServer
import JSON

extension IdentityFault {
  /// The answer that takes the place of another.
  func response(to call: Call) -> ServerResponse {
    switch self {
    case .status(let status):
      var answer = ServerResponse(status: status)
      if status == 429 || status == 503 { answer.headers.append(ServerField("Retry-After", "1")) }
      return call.response(answer)
    case .error(let status, let error):
      var failure = OAuthFailure(status: status, error, 90_033, "A transient error has occurred. Please try again.")
      if status == 429 || status == 503 { failure.headers.append(ServerField("Retry-After", "1")) }
      return failure.response(to: call)
    case .dropped, .droppedAfter, .halved, .slow: return .dropped
    case .page: return call.page("<!doctype html><title>Sign in to the network</title><p>Welcome to the hotel.</p>")
    case .cut:
      return call.response(ServerResponse(text: "{\"token_type\":\"Bearer\",\"expi", contentType: "application/json"))
    case .response(let response): return response
    }
  }
}
