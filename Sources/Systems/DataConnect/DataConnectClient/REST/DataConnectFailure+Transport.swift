internal import HTTPClient

extension DataConnectFailure {
  /// Says which server did not answer, and how to get one.
  init(_ error: HTTPError, at endpoint: DataConnectEndpoint) {
    let server = endpoint.server
    switch error.kind {
    case .cancelled: self = .cancelled
    case .timedOut:
      self.init(.timedOut, "\(server) did not answer in time.", recovery: "Check that the server is up and try again.")
    case .tooLarge:
      self.init(
        .tooLarge, "The answer of \(server) is larger than allowed.",
        recovery: "Select fewer fields, or fewer rows with limit.")
    case .invalidURL, .invalidRequest:
      self.init(.invalidArgument, error.message, recovery: error.recovery)
    case .refused:
      self.init(
        .unavailable, "Nobody listens at \(server).",
        recovery: "Start the server or the emulator there, or correct host and port.")
    case .couldNotResolve:
      self.init(
        .unavailable, "The host of \(server) is unknown.", recovery: "Check its name and the network connection.")
    default: self.init(.unavailable, "\(server) cannot be asked. \(error.message)", recovery: error.recovery)
    }
  }
}
