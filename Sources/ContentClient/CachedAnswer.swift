/// An answer with data and without errors, as the cache keeps it.
struct CachedAnswer: Equatable, Sendable {
  /// What a cache may do with an answer now.
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
  /// As the server wrote it; nil when it gave none.
  var entityTag: String?
  var control: CacheControl
  /// When it arrived, in seconds since 1970.
  var storedAt: Int
  /// How old it was then (`Age`, RFC 9111, 5.1).
  var initialAge: Int

  /// Whether keeping it can be of use.
  var isWorthKeeping: Bool {
    !control.forbidsStorage
      && (entityTag != nil || control.maximumAge + control.staleWhileRevalidate + control.staleIfError > initialAge)
  }

  /// Seconds since it left its server.
  func age(now: Int) -> Int { max(0, now - storedAt) + initialAge }

  func freshness(now: Int) -> Freshness {
    // The clock of this machine was set back: the age is unknown.
    guard now >= storedAt else { return .expired }
    let beyond = age(now: now) - control.maximumAge
    if beyond < 0 { return .fresh }
    if beyond < control.staleWhileRevalidate { return .staleWhileRevalidate }
    return beyond < control.staleIfError ? .staleIfError : .expired
  }

  /// Whether it may stand in for a failure (RFC 5861, 4).
  func mayReplaceFailure(now: Int) -> Bool {
    now >= storedAt && age(now: now) - control.maximumAge < max(control.staleIfError, control.staleWhileRevalidate)
  }
}
