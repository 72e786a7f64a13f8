internal import HTTPClient

/// An answer with data and without errors, as the cache keeps it.
struct CachedAnswer: Equatable, Sendable {
  /// The permitted use of a cached answer at a given time.
  enum Freshness: Equatable, Sendable {
    /// Use it without asking.
    case fresh
    /// Ask, and use it when the server does not answer soon.
    case staleWhileRevalidate
    /// Ask, and use it when the server fails.
    case staleIfError
    /// Ask; it is good for revalidation only.
    case expired
  }

  var body: [UInt8]
  /// The `ETag` as the server sent it; nil for none.
  var entityTag: String?
  var control: CacheControl
  /// The time of arrival, in seconds since 1970.
  var storedAt: Int
  /// The age at arrival in seconds (`Age`, RFC 9111, 5.1).
  var initialAge: Int

  /// Whether keeping it can be of use.
  var isWorthKeeping: Bool {
    !control.forbidsStorage
      && (entityTag != nil || control.maximumAge + control.staleWhileRevalidate + control.staleIfError > initialAge)
  }

  /// Returns the seconds since the answer left its server.
  func age(now: Int) -> Int { max(0, now - storedAt) + initialAge }

  func freshness(now: Int) -> Freshness {
    // The clock of this machine was set back: the age is unknown.
    guard now >= storedAt else { return .expired }
    let beyond = age(now: now) - control.maximumAge
    if beyond < 0 { return .fresh }
    if beyond < control.staleWhileRevalidate { return .staleWhileRevalidate }
    return beyond < control.staleIfError ? .staleIfError : .expired
  }

  /// Returns whether the answer may replace a failure of the server at a time (RFC 5861, 4).
  func mayReplaceFailure(now: Int) -> Bool {
    now >= storedAt && age(now: now) - control.maximumAge < max(control.staleIfError, control.staleWhileRevalidate)
  }
}

extension CachedAnswer {
  /// An answer as it arrived.
  init(_ response: HTTPResponse, now: Int) {
    self.init(
      body: response.body, entityTag: response.entityTag, control: CacheControl(response), storedAt: now,
      initialAge: response.ageSeconds)
  }

  /// Applies the fields of a response 304 (RFC 9111, 4.3.4). Without a `Cache-Control` in the response, the old one
  /// stays.
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
