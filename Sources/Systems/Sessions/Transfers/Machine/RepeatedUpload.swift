internal import Cryptography
internal import HTTPClient

/// Whether a server may get an upload twice. A connection that is lost behind the last byte leaves open whether the server
/// has done what was asked, and a background transfer asks again.
extension TransferRecord {
  /// The field by which a server knows a request that comes again
  /// (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/).
  static let idempotencyField = "Idempotency-Key"

  /// Whether the request does no more the second time (RFC 9110, 9.2.2), or its owner says so by a key of its own.
  var mayComeTwice: Bool {
    kind == .download || request.method == "PUT" || request.headers[Self.idempotencyField] != nil
  }

  /// Whether all of the file has been handed to the connection.
  var isWhollySent: Bool { kind == .upload && bytesExpected.map { bytesDone >= $0 } ?? true }

  /// The same for every attempt of this task, and no other's: a structured field, a text in quotes.
  func idempotencyKey(in session: SessionRecord) -> String {
    let text = "\(session.machine)/\(session.key)/\(session.createdAt)/\(id)"
    return "\"\(SHA256.hexadecimal(of: text.utf8).prefix(32))\""
  }
}

extension TransferFailure {
  /// The failure of a request that the server may have carried out.
  var ofWhatMayHaveArrived: TransferFailure {
    TransferFailure(
      domain: domain, code: code, description,
      recovery:
        "The server may have it: look there before you send it again. A request with an Idempotency-Key of its own is repeated."
    )
  }
}
