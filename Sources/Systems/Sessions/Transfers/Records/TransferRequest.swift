package import HTTPClient

/// What a task asks of a server.
package struct TransferRequest: Sendable, Equatable {
  package var url: String
  package var method: String
  package var headers: HTTPFields

  package init(url: String, method: String = "GET", headers: HTTPFields = HTTPFields()) {
    (self.url, self.method, self.headers) = (url, method, headers)
  }
}

/// A task before the journal has it.
package struct TransferDraft: Sendable {
  /// What is moved, and where.
  package enum Body: Sendable {
    /// - Parameter destination: where the file appears, relative to the shared container.
    case download(destination: String)
    /// - Parameter descriptor: the file, open for reading, which the caller closes afterwards. What it holds now is
    ///   copied: later changes of the file change nothing.
    case upload(descriptor: Int32)
  }

  package var request: TransferRequest
  package var body: Body
  /// What the file must come to, in lower-case hexadecimal; `nil` takes any.
  package var sha256: String?

  package init(_ request: TransferRequest, _ body: Body, sha256: String? = nil) {
    (self.request, self.body, self.sha256) = (request, body, sha256)
  }
}
