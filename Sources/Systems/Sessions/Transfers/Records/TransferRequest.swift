package import HTTPClient

/// What a task asks of a server.
package struct TransferRequest: Sendable, Equatable {
  /// The absolute URL.
  package var url: String
  /// The HTTP method.
  package var method: String
  /// The header fields of the caller.
  package var headers: HTTPFields

  /// Creates a request; by default a GET without header fields.
  package init(url: String, method: String = "GET", headers: HTTPFields = HTTPFields()) {
    (self.url, self.method, self.headers) = (url, method, headers)
  }
}

/// A task that the journal has not stored yet.
package struct TransferDraft: Sendable {
  /// What is transferred, and where.
  package enum Body: Sendable {
    /// A download.
    ///
    /// - Parameter destination: the path of the file, relative to the shared container.
    case download(destination: String)
    /// An upload.
    ///
    /// - Parameter descriptor: the file, open for reading, which the caller closes afterwards. The journal copies the
    ///   current content; later changes of the file have no effect.
    case upload(descriptor: Int32)
  }

  /// What the task asks of the server.
  package var request: TransferRequest
  /// What is transferred.
  package var body: Body
  /// The expected SHA-256 of the content in lower-case hexadecimal; `nil` accepts any.
  package var sha256: String?

  /// Creates a draft of a task.
  package init(_ request: TransferRequest, _ body: Body, sha256: String? = nil) {
    (self.request, self.body, self.sha256) = (request, body, sha256)
  }
}
