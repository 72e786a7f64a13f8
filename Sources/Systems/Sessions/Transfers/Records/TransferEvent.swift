package import HTTPClient

/// What a server answered, as far as the owner of a task is told.
package struct TransferResponse: Sendable, Equatable, Codable {
  package var status: Int
  /// A few fields, cut: see ``init(_:)``.
  package var headers: HTTPFields
  package var url: String

  package init(status: Int, headers: HTTPFields, url: String) {
    (self.status, self.headers, self.url) = (status, headers, url)
  }

  /// The most fields that are kept, and the most bytes of one.
  private static let (mostFields, mostBytes) = (32, 1024)

  /// Keeps what says something about the file; cookies and challenges never.
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

/// Something that the owner of a session is told. It is kept until the owner has acknowledged it.
package struct TransferEvent: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case didFinishDownloading, didSendBody, didComplete, waitingForConnectivity
  }

  /// Grows with every event of a journal.
  package let id: Int64
  package let session: SessionKey
  package let task: Int64
  package let kind: Kind
  /// Where the file is, relative to the container.
  package let path: String?
  package let response: TransferResponse?
  /// Why the task failed; `nil` when it did not.
  package let error: TransferFailure?

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
