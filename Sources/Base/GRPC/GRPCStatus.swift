package import HTTP

/// The codes of gRPC (`google.rpc.Code`).
package enum GRPCCode: Int, Sendable, Hashable, CaseIterable {
  case ok, cancelled, unknown, invalidArgument, deadlineExceeded, notFound, alreadyExists, permissionDenied
  case resourceExhausted, failedPrecondition, aborted, outOfRange, unimplemented, `internal`, unavailable, dataLoss
  case unauthenticated

  /// The code of a name such as "INVALID_ARGUMENT"; nil for another text.
  package init?(name: String) {
    guard let code = Self.byName[name] else { return nil }
    self = code
  }

  private static let byName: [String: GRPCCode] = [
    "OK": .ok, "CANCELLED": .cancelled, "UNKNOWN": .unknown, "INVALID_ARGUMENT": .invalidArgument,
    "DEADLINE_EXCEEDED": .deadlineExceeded, "NOT_FOUND": .notFound, "ALREADY_EXISTS": .alreadyExists,
    "PERMISSION_DENIED": .permissionDenied, "RESOURCE_EXHAUSTED": .resourceExhausted,
    "FAILED_PRECONDITION": .failedPrecondition, "ABORTED": .aborted, "OUT_OF_RANGE": .outOfRange,
    "UNIMPLEMENTED": .unimplemented, "INTERNAL": .internal, "UNAVAILABLE": .unavailable, "DATA_LOSS": .dataLoss,
    "UNAUTHENTICATED": .unauthenticated,
  ]

  /// The code that clients take an HTTP status for.
  ///
  /// Source: https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md.
  package init(httpStatus: Int) {
    switch httpStatus {
    case 400: self = .internal
    case 401: self = .unauthenticated
    case 403: self = .permissionDenied
    case 404: self = .unimplemented
    case 429, 502, 503, 504: self = .unavailable
    default: self = .unknown
    }
  }
}

/// How a call has ended.
package struct GRPCStatus: Error, Sendable, Hashable {
  /// The most bytes of a message; what is longer is cut.
  private static let messageBytes = 1_024

  package let code: GRPCCode
  /// One sentence; empty for `ok`.
  package let message: String

  /// Creates a status.
  package init(_ code: GRPCCode, _ message: String = "") {
    self.code = code
    self.message = message
  }

  /// The call has ended as it should.
  package static let ok = GRPCStatus(.ok)

  /// The fields that end an answer: `grpc-status` and, with a message, `grpc-message`, whose bytes are percent-encoded
  /// unless they are printable ASCII.
  ///
  /// Source: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md.
  package var trailers: [HTTPField] {
    let code = HTTPField("grpc-status", "\(self.code.rawValue)")
    if message.isEmpty { return [code] }
    var text = ""
    // Not by characters, one of which may be longer than all that is kept.
    for scalar in message.unicodeScalars {
      if text.utf8.count + UTF8.width(scalar) > Self.messageBytes { break }
      text.unicodeScalars.append(scalar)
    }
    return [code, HTTPField("grpc-message", PercentEncoding.encoded(text, keeping: Self.kept))]
  }

  /// Printable ASCII without the percent sign.
  private static let kept = " !\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~"
}
