internal import HTTPClient

extension CachedAnswer {
  /// An answer as it arrived.
  init(_ response: HTTPResponse, now: Int) {
    self.init(
      body: response.body, entityTag: response.entityTag, control: CacheControl(response), storedAt: now,
      initialAge: response.ageSeconds)
  }

  /// Takes over what a 304 says (RFC 9111, 4.3.4). A `Cache-Control` it does not repeat stays.
  mutating func renew(by response: HTTPResponse, now: Int) {
    storedAt = now
    initialAge = response.ageSeconds
    if let entityTag = response.entityTag { self.entityTag = entityTag }
    if response.headers["Cache-Control"] != nil { control = CacheControl(response) }
  }
}

extension CacheControl {
  init(_ response: HTTPResponse) {
    self.init(fields: response.headers.values(of: "Cache-Control"), vary: response.headers.values(of: "Vary"))
  }
}

extension HTTPResponse {
  /// The `ETag` field; nil when there is none or it could not be sent back.
  var entityTag: String? {
    guard let tag = headers["ETag"], !tag.isEmpty, tag.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
    return tag
  }

  /// The `Age` field in seconds; 0 when there is none or it cannot be read.
  var ageSeconds: Int { headers["Age"].flatMap { Int($0) }.map { min(max($0, 0), 1 << 31) } ?? 0 }
}
