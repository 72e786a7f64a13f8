import ExtensionProtocol

/// The first claims of app groups, in a file of the state directory.
///
/// A claim is never removed: the first app's data remains in the group even when the app is gone. Another app gets
/// access only by the user's decision (``PermissionKind/groups``).
struct GroupRecord: FormattedContent {
  /// The claim of an app to a group.
  struct Claim: Codable, Sendable, Equatable {
    /// The containing app's identifier.
    var app: String
    /// The time of the claim, in seconds since 1970.
    @Timestamp<Double> var claimedAt: Double
  }

  static let currentFormat = 1

  var format = currentFormat
  /// The claims by group.
  private(set) var claims: [String: Claim] = [:]

  /// Returns the app that a group belongs to; `nil` while no app has claimed it.
  func owner(of group: String) -> String? { claims[group]?.app }

  /// The first claim stays.
  mutating func claim(_ group: String, for app: String, at time: Double) {
    if claims[group] == nil { claims[group] = Claim(app: app, claimedAt: time) }
  }

  init() {}
}
