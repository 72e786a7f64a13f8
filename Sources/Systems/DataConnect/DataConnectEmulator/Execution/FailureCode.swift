/// The codes of failures that clients know: those of gRPC.
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

  /// The status of HTTP.
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

/// Why a request is not executed at all.
package struct RequestFailure: Error, Sendable, Hashable {
  package let code: FailureCode
  /// One sentence, and what to do about it.
  package let message: String
  /// The status of HTTP where it is not the code's.
  package var status: Int

  package init(_ code: FailureCode, _ message: String, status: Int? = nil) {
    self.code = code
    self.message = message
    self.status = status ?? code.status
  }
}
