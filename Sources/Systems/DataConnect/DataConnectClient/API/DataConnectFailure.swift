/// The reason there is no response at all. Errors in single fields are part of the response instead.
package struct DataConnectFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The sorts of failure that a caller treats differently.
  package enum Code: String, Sendable, CaseIterable {
    /// No connection to the server, or it broke, or the server is too busy.
    case unavailable
    /// No user is signed in, or the server rejected the token.
    case unauthenticated
    /// The user may not do this.
    case permissionDenied
    /// The server does not know the operation, the connector or the service.
    case notFound
    /// A variable, or the place of the server, cannot be sent or is not accepted.
    case invalidArgument
    /// Anything else.
    case failed
    /// The request or its answer is larger than allowed.
    case tooLarge
    /// No answer in time.
    case timedOut
    /// The task that waited was cancelled, or the client closed.
    case cancelled
  }

  /// The sort of failure.
  package let code: Code
  /// One sentence: what happened, with the names involved.
  package let message: String
  /// What the reader can do about it.
  package let recovery: String

  /// Creates a failure.
  ///
  /// - Parameters:
  ///   - code: the sort of failure.
  ///   - message: one sentence that says what happened, with the names involved.
  ///   - recovery: one sentence that says what the reader can do.
  package init(_ code: Code, _ message: String, recovery: String) {
    self.code = code
    self.message = message
    self.recovery = recovery
  }

  /// The message, followed by the recovery.
  package var description: String { "\(message) \(recovery)" }

  static let cancelled = DataConnectFailure(
    .cancelled, "The operation was cancelled.", recovery: "Run it again.")
  /// The operation or subscription belongs to a user who is no longer signed in.
  package static let userChanged = DataConnectFailure(
    .unauthenticated, "Another user is signed in than the one who asked.", recovery: "Ask again as that user.")
}
