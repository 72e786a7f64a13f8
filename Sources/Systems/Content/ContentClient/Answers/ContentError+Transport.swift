internal import HTTPClient

extension ContentError {
  /// Creates the error for a failed connection; the message names the server and the recovery says how to reach it.
  init(_ error: HTTPError, configuration: ContentConfiguration) {
    let server = configuration.origin
    switch error.kind {
    case .cancelled:
      self = .cancelled
    case .timedOut:
      self.init(
        .timedOut, "\(server) did not answer in time.", recovery: "Check that AEM is up, then try again.")
    case .tooLarge:
      self.init(
        .tooLarge, "The answer of \(server) is larger than allowed.",
        recovery: "Ask for less: most lists take the variables limit and offset, or first and after.")
    case .refused:
      self.init(
        .unreachable, "No server answers at \(server).",
        recovery: "Start AEM there, or correct AEM_SCHEME and AEM_HOST.")
    case .couldNotResolve:
      self.init(
        .unreachable, "The host of \(server) is unknown.", recovery: "Check AEM_HOST and the network connection.")
    case .tls:
      self.init(.untrusted, error.message, recovery: error.recovery)
    case .undecodableBody:
      self.init(.invalidAnswer, error.message, recovery: error.recovery)
    default:
      let said = error.message.isEmpty ? "" : " \(error.message)"
      self.init(.unreachable, "\(server) cannot be asked.\(said)", recovery: error.recovery)
    }
  }

  static let cancelled = ContentError(
    .cancelled, "The request for content was cancelled.", recovery: "Run it again.")
}
