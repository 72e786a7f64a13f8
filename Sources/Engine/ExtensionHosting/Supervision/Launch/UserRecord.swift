import ExtensionProtocol

/// The content of the file that stores the system user of each containing app under a root host.
///
/// A user identifier is assigned once. A removed app keeps its own, because files of that user may remain in its
/// folders.
struct UserRecord: FormattedContent {
  static let currentFormat = 1

  var format = currentFormat
  /// The users by containing app.
  @Bounded<[String: UInt32], UserBounds> private(set) var users: [String: UInt32] = [:]
  /// The identifier for the next app, unless it is already assigned.
  @Bounded<UInt32, UserBounds> private var nextUser: UInt32

  /// The user of an app; `nil` while it has none.
  func user(ofApp app: String) -> UInt32? { users[app] }

  /// The user of an app, a new one when it has none; `nil` when all are given out.
  mutating func give(toApp app: String) -> UInt32? {
    if let known = users[app] { return known }
    let range = ExtensionUser.ofApps
    guard users.count < range.count else { return nil }
    let taken = Set(users.values)
    while taken.contains(nextUser) { nextUser = Self.following(nextUser) }
    defer { nextUser = Self.following(nextUser) }
    users[app] = nextUser
    return nextUser
  }

  private static func following(_ user: UInt32) -> UInt32 {
    user == ExtensionUser.ofApps.upperBound ? ExtensionUser.ofApps.lowerBound : user + 1
  }

  /// A record without apps.
  ///
  /// - Parameter first: what the first app gets. Two state directories of one machine begin at different places, so that
  ///   their apps do not share users; nothing that an app is called has a part in it.
  init(beginningAt first: UInt32 = UInt32.random(in: ExtensionUser.ofApps)) { nextUser = first }

  /// - Throws: ``LaterFormat``, and `DecodingError` when the bytes are no record.
  init(parsing bytes: [UInt8]) throws {
    self = try Self.parsed(bytes)
    let all = Array(users.values)
    guard Set(all).count == all.count else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "Two apps have one user."))
    }
  }
}

/// The users of apps.
enum UserBounds: NumberBounds {
  static let range = Int(ExtensionUser.ofApps.lowerBound)...Int(ExtensionUser.ofApps.upperBound)
}
