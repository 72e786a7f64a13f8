import ExtensionProtocol
import HTTPClient
import JSON

extension ExtensionError {
  /// A request that failed on its way.
  ///
  /// - Parameter kind: `dns`, `connect`, `address`, `tls`, `timeout`, `tooLarge`, `redirect`, `response` or `lost`.
  static func network(_ kind: String, _ message: String, recovery: String? = nil) -> ExtensionError {
    ExtensionError(.networkFailed, message, recovery: recovery, details: ["kind": .string(kind)])
  }

  /// A failure of the HTTP client, in the terms of the wire.
  init(_ error: HTTPError) {
    switch error.kind {
    case .cancelled: self.init(.cancelled, error.message)
    case .invalidURL, .invalidRequest: self.init(.invalidParams, error.message, recovery: error.recovery)
    case .couldNotResolve: self = .network("dns", error.message, recovery: error.recovery)
    case .refused, .unreachable: self = .network("connect", error.message, recovery: error.recovery)
    case .forbiddenAddress: self = .network("address", error.message, recovery: error.recovery)
    case .tls: self = .network("tls", error.message, recovery: error.recovery)
    case .timedOut: self = .network("timeout", error.message, recovery: error.recovery)
    case .tooLarge:
      self = .network("tooLarge", error.message, recovery: "Raise maxBytes, or ask for the delivery as a file.")
    case .badRedirect: self = .network("redirect", error.message, recovery: error.recovery)
    case .invalidResponse, .undecodableBody:
      self = .network("response", error.message, recovery: error.recovery)
    case .connectionLost: self = .network("lost", error.message, recovery: error.recovery)
    }
  }
}
