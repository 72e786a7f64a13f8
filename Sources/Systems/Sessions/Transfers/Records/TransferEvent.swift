package import HTTPClient

/// The part of a server's answer that the owner of a task receives.
package struct TransferResponse: Sendable, Equatable, Codable {
  /// The HTTP status.
  package var status: Int
  /// At most 32 header fields, each cut to 1,024 bytes: see ``init(_:)``.
  package var headers: HTTPFields
  /// The URL of the answer, after redirects.
  package var url: String

  /// Creates a response from parts that are already cut.
  package init(status: Int, headers: HTTPFields, url: String) {
    (self.status, self.headers, self.url) = (status, headers, url)
  }

  /// The most header fields that are kept, and the most bytes of one.
  private static let (mostFields, mostBytes) = (32, 1024)

  /// Keeps the header fields that describe the file. Cookies and authentication challenges are never kept.
  package init(_ response: HTTPResponse) {
    var kept = HTTPFields()
    for field in response.headers.all where kept.all.count < Self.mostFields {
      let isSecret = ["Set-Cookie", "Set-Cookie2", "WWW-Authenticate", "Proxy-Authenticate", "Authentication-Info"]
        .contains { FieldSyntax.areEqual($0, field.name) }
      guard !isSecret, field.name.utf8.count + field.value.utf8.count <= Self.mostBytes else { continue }
      kept.append(field.name, field.value)
    }
    self.init(status: response.status, headers: kept, url: response.url)
  }
}

/// An event for the owner of a session, kept until the owner acknowledges it.
package struct TransferEvent: Sendable, Equatable {
  /// What can happen to a task.
  package enum Kind: String, Sendable, CaseIterable {
    case didFinishDownloading, didSendBody, didComplete, waitingForConnectivity
  }

  /// A number that grows with each event of the journal.
  package let id: Int64
  /// The session of the task.
  package let session: SessionKey
  /// The number of the task.
  package let task: Int64
  /// What happened.
  package let kind: Kind
  /// The path of a finished download, relative to the container.
  package let path: String?
  /// The server's answer, if there is one.
  package let response: TransferResponse?
  /// The reason the task failed; `nil` when it did not.
  package let error: TransferFailure?

  /// Creates an event that the journal has numbered.
  package init(
    id: Int64, session: SessionKey, task: Int64, kind: Kind, path: String? = nil, response: TransferResponse? = nil,
    error: TransferFailure? = nil
  ) {
    self.id = id
    self.session = session
    self.task = task
    self.kind = kind
    self.path = path
    self.response = response
    self.error = error
  }
}
