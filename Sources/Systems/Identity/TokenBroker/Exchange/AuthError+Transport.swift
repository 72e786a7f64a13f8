internal import HTTPClient

extension AuthError {
  /// Creates the error for a failed connection; the message names the server and the recovery says how to reach it.
  init(_ error: HTTPError, server: String, correlationID: String?) {
    let (kind, message): (Kind, String) =
      switch error.kind {
      case .cancelled: (.cancelled, "It was cancelled.")
      case .timedOut: (.timedOut, "\(server) did not answer in time.")
      case .tooLarge: (.tooLarge, "The answer of \(server) is larger than allowed.")
      case .refused: (.unreachable, "No server answers at \(server).")
      case .couldNotResolve: (.unreachable, "The host of \(server) is unknown.")
      case .tls: (.untrusted, error.message)
      case .unreachable: (.unreachable, "\(server) cannot be reached.")
      case .connectionLost: (.unreachable, "The connection to \(server) broke.")
      case .invalidURL, .invalidRequest, .forbiddenAddress: (.invalidConfiguration, "\(server) cannot be asked.")
      default: (.invalidAnswer, "\(server) does not answer as a web server does.")
      }
    self.init(kind, message, correlationID: correlationID)
  }

  static let cancelled = AuthError(.cancelled, "It was cancelled.")

  static func invalidAnswer(_ reply: ServerReply, server: String, lacking name: String) -> AuthError {
    let what =
      switch reply.body {
      case .object: "without a usable \(name)"
      case .empty: "without a word"
      case .webPage: "with a web page"
      case .other: "with what is not an answer"
      }
    return AuthError(.invalidAnswer, "\(server) answered \(what) (\(reply.status)).")
  }
}
