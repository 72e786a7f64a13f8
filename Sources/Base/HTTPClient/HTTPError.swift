import Text

/// Why there is no response.
package struct HTTPError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sorts of failure that a caller treats differently.
  package enum Kind: String, Sendable, CaseIterable {
    /// The URL is malformed, holds a user name, or is neither http nor https.
    case invalidURL
    /// The method or a header field cannot be sent.
    case invalidRequest
    /// The name of the server, or of the proxy, is unknown.
    case couldNotResolve
    /// Nobody listens at that port.
    case refused
    /// The server has an address that the request may not be sent to.
    case forbiddenAddress
    /// The network does not reach the server.
    case unreachable
    /// The time for connecting, or for the whole exchange, passed.
    case timedOut
    /// The certificate or the handshake is not accepted.
    case tls
    /// The connection broke before the response was whole.
    case connectionLost
    /// The server sent what is not HTTP.
    case invalidResponse
    /// The body is not what its Content-Encoding says.
    case undecodableBody
    /// The body, or the header, is larger than allowed.
    case tooLarge
    /// The server redirects more often than allowed, or from https to http.
    case badRedirect
    /// The task that waited was cancelled, or the client ended.
    case cancelled
  }

  /// The sort of failure.
  package let kind: Kind
  /// One sentence: what happened, with the server's name.
  package let message: String
  /// The URL asked for, without its query.
  package let url: String

  /// - Parameter url: its query is cut off: it may hold secrets.
  package init(_ kind: Kind, _ message: String, url: String) {
    self.kind = kind
    self.message = message
    self.url = String(url.withoutQuery)
  }

  /// What the reader can do about it.
  package var recovery: String {
    switch kind {
    case .invalidURL: "Write the URL as http://host/path or https://host/path."
    case .invalidRequest: "Correct the request."
    case .couldNotResolve: "Check the name of the host and the network connection."
    case .refused: "Check that the server runs and that the port is right."
    case .forbiddenAddress: "Name the server by its address, where that is meant."
    case .unreachable: "Check the network connection."
    case .timedOut: "Try again, or allow more time."
    case .tls: "Check the certificate of the server and the clock of this machine."
    case .connectionLost: "Try again."
    case .invalidResponse: "Check that the port belongs to an HTTP server."
    case .undecodableBody: "Have the server, or what stands before it, send the body whole, or without compression."
    case .tooLarge: "Ask for less, or raise the limit."
    case .badRedirect: "Ask for the URL that the server redirects to."
    case .cancelled: "Run the request again."
    }
  }

  /// The message, the sort of failure and the URL.
  package var description: String { "\(message) (\(kind.rawValue), \(url))" }
}
