package import HTTP

/// The header of a request (RFC 9113, 8.3.1).
package struct HTTP2Request: Sendable, Equatable {
  /// As sent: "POST".
  package var method = ""
  /// The path as sent, with the query. Begins with "/", or is "*".
  package var path = ""
  /// The name of the server and maybe a port; nil where the request has none.
  package var authority: String?
  /// The fields without those above, with names in lower case.
  package var fields: [HTTPField] = []

  /// Creates a request.
  package init(method: String = "", path: String = "", authority: String? = nil, fields: [HTTPField] = []) {
    self.method = method
    self.path = path
    self.authority = authority
    self.fields = fields
  }

  /// The first value of a field; `name` in lower case.
  package func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}

/// Why a request or its connection is over before its answer was sent.
package struct HTTP2Failure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sorts of failure that a handler treats differently.
  package enum Kind: String, Sendable {
    /// The client has reset the request, or broken a rule.
    case reset
    /// The connection has ended.
    case lost
    /// The server stops.
    case stopping
    /// The client takes nothing of the answer.
    case tooSlow
    /// The task was cancelled.
    case cancelled
  }

  /// The sort of failure.
  package let kind: Kind
  /// One sentence.
  package let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  static let cancelled = HTTP2Failure(.cancelled, "The task was cancelled.")
  static let stopping = HTTP2Failure(.stopping, "The server is stopping.")
}

/// Why a request is refused or reset (RFC 9113, 7).
package enum HTTP2Code: UInt32, Sendable {
  case none = 0
  case protocolError = 1
  case internalError = 2
  case refused = 7
  case cancelled = 8
  case enhanceYourCalm = 11
}
