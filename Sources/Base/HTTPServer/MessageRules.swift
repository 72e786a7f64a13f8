/// What the fields of a request must not say, because two readers would see the end of the message in two places
/// (RFC 9112, 5.1, 6.1 and 6.3). libmicrohttpd lets some of it pass.
package enum MessageRules {
  /// - Returns: what is wrong, one sentence; `nil` when the message has one meaning.
  package static func fault(of fields: [ServerField]) -> String? {
    guard fields.allSatisfy({ FieldSyntax.isToken($0.name) }) else {
      return "The request has a field whose name is no token."
    }
    // A line may end there for another reader (RFC 9110, 5.5).
    let isPlain = fields.allSatisfy { FieldSyntax.isValue($0.value) }
    guard isPlain else { return "The request has a field with a control character." }
    let lengths = fields.filter { $0.isNamed("Content-Length") }
    let codings = fields.filter { $0.isNamed("Transfer-Encoding") }
    if lengths.count + codings.count > 1 { return "The request has two lengths." }
    if let length = lengths.first?.value, length.isEmpty || !length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return "The length of the request is no number."
    }
    if let coding = codings.first?.value, coding.lowercased() != "chunked" {
      return "The transfer coding of the request is not chunked."
    }
    return nil
  }
}
