internal import JSON

/// The lifetimes of an answer in seconds: in a client, in a cache on the way, and while the server is slow or down.
struct CachePolicy: Sendable, Equatable {
  var maximumAge: Int
  var sharedAge: Int
  var staleWhileRevalidate = 86400
  var staleIfError = 86400

  /// Returns the default policy of AEM.
  static func standard(isAuthor: Bool) -> CachePolicy { CachePolicy(maximumAge: 60, sharedAge: isAuthor ? 60 : 7200) }

  /// The value of `Cache-Control`.
  var field: String {
    "max-age=\(maximumAge), s-maxage=\(sharedAge), stale-while-revalidate=\(staleWhileRevalidate), "
      + "stale-if-error=\(staleIfError)"
  }
}

/// The cache settings that a persisted query has for its own answers.
struct CacheOverride: Sendable, Equatable {
  /// The settings as the client sent them: `cache-control` and `surrogate-control`, each an object of seconds by
  /// directive.
  let cacheControl: JSONObject
  let surrogateControl: JSONObject

  static let none = CacheOverride()

  private init() { (cacheControl, surrogateControl) = ([:], [:]) }

  /// - Throws: what is wrong with one of the numbers.
  init(_ body: JSONObject) throws(PersistFault) {
    cacheControl = try Self.seconds(body, "cache-control", ["max-age", "s-maxage"])
    surrogateControl = try Self.seconds(body, "surrogate-control", ["max-age"])
  }

  private static func seconds(_ body: JSONObject, _ name: String, _ own: [String]) throws(PersistFault) -> JSONObject {
    guard let given = body[name], !given.isNull else { return [:] }
    guard let members = given.objectValue else { throw PersistFault("“\(name)” is not an object of seconds.") }
    var seconds = JSONObject()
    for directive in own + ["stale-while-revalidate", "stale-if-error"] {
      guard let value = members[directive], !value.isNull else { continue }
      let number = value.integerValue ?? value.stringValue.flatMap { Int64($0) }
      guard let number, (0...31_536_000).contains(number) else {
        throw PersistFault("“\(directive)” of “\(name)” is not a number of seconds from 0 to 31536000.")
      }
      seconds[directive] = .integer(number)
    }
    return seconds
  }

  func applied(to policy: CachePolicy) -> CachePolicy {
    var policy = policy
    func set(_ path: WritableKeyPath<CachePolicy, Int>, _ values: JSONValue?...) {
      if let number = values.lazy.compactMap({ $0?.integerValue }).first { policy[keyPath: path] = Int(number) }
    }
    set(\.maximumAge, cacheControl["max-age"])
    set(\.sharedAge, surrogateControl["max-age"], cacheControl["s-maxage"])
    for (path, directive) in [
      (\CachePolicy.staleWhileRevalidate, "stale-while-revalidate"), (\CachePolicy.staleIfError, "stale-if-error"),
    ] {
      set(path, surrogateControl[directive], cacheControl[directive])
    }
    return policy
  }
}
