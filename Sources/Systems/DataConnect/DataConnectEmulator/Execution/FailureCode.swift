/// The error codes of gRPC, which clients of Data Connect receive.
package enum FailureCode: String, Sendable, Hashable, CaseIterable {
  case cancelled = "CANCELLED"
  case invalidArgument = "INVALID_ARGUMENT"
  case deadlineExceeded = "DEADLINE_EXCEEDED"
  case notFound = "NOT_FOUND"
  case alreadyExists = "ALREADY_EXISTS"
  case permissionDenied = "PERMISSION_DENIED"
  case resourceExhausted = "RESOURCE_EXHAUSTED"
  case failedPrecondition = "FAILED_PRECONDITION"
  case aborted = "ABORTED"
  case unimplemented = "UNIMPLEMENTED"
  case internalFailure = "INTERNAL"
  case unavailable = "UNAVAILABLE"
  case unauthenticated = "UNAUTHENTICATED"

  /// The HTTP status that belongs to the code.
  ///
  /// Source: https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto.
  package var status: Int {
    switch self {
    case .cancelled: 499
    case .invalidArgument, .failedPrecondition: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .resourceExhausted: 429
    case .internalFailure: 500
    case .unimplemented: 501
    case .unavailable: 503
    case .deadlineExceeded: 504
    }
  }
}

/// The reason a request is not executed at all.
package struct RequestFailure: Error, Sendable, Hashable {
  /// The code that the client receives.
  package let code: FailureCode
  /// What failed, in one sentence, and what to do about it.
  package let message: String
  /// The HTTP status; the code's own unless the initializer was given another.
  package var status: Int

  /// Creates a failure; `status` overrides the HTTP status of the code.
  package init(_ code: FailureCode, _ message: String, status: Int? = nil) {
    self.code = code
    self.message = message
    self.status = status ?? code.status
  }
}
