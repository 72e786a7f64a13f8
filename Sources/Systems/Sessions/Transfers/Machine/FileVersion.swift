internal import HTTPClient
internal import Text
internal import Time

/// Reads the version and the size of the server's file from a response.
enum FileVersion {
  /// Returns the validator for `If-Range` (RFC 9110, 8.8), which identifies a version byte for byte: a strong entity
  /// tag, or a date old enough that the file cannot have changed in the same second. `nil` when the response has
  /// neither.
  static func validator(of response: HTTPResponse) -> String? {
    if let tag = response.headers["ETag"] {
      return tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count >= 2 && tag.utf8.count <= 512 ? tag : nil
    }
    guard let modified = response.headers["Last-Modified"], let date = response.headers["Date"],
      let before = HTTPDate.seconds(modified), let now = HTTPDate.seconds(date), now - before >= 60
    else { return nil }
    return modified
  }

  /// The bytes of the body; `nil` when the server did not say.
  static func length(of response: HTTPResponse) -> Int64? {
    response.headers["Content-Length"].flatMap(count)
  }

  /// A number of bytes: digits and nothing else, up to 2^53.
  static func count(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let value = Int64(text) else { return nil }
    return value <= 1 << 53 ? value : nil
  }
}

/// The part of a file that a response contains (RFC 9110, 14.4).
struct ContentRange: Equatable {
  let first: Int64
  let last: Int64
  /// `nil` when the server does not know.
  let total: Int64?

  init?(_ text: String) {
    guard text.hasPrefix("bytes ") else { return nil }
    let halves = text.dropFirst(6).pathParts(keepsEmpty: true)
    guard halves.count == 2 else { return nil }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = FileVersion.count(ends[0]), let last = FileVersion.count(ends[1]), first <= last
    else { return nil }
    let total = halves[1] == "*" ? nil : FileVersion.count(halves[1])
    if halves[1] != "*" { guard let total, last < total else { return nil } }
    (self.first, self.last, self.total) = (first, last, total)
  }
}
