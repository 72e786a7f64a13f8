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
  /// The apps that other teams have taken the names of.
  private(set) var handovers: TeamHandovers?

  /// Returns the app that a group belongs to; `nil` while no app has claimed it.
  func owner(of group: String) -> String? { claims[group]?.app }

  /// The first claim stays.
  mutating func claim(_ group: String, for app: String, at time: Double) {
    if claims[group] == nil { claims[group] = Claim(app: app, claimedAt: time) }
  }

  /// Puts the claims of an app aside under its team, and takes up those that another team's app had. To the app of the other
  /// team the groups are those of another app then.
  /// Doing it again changes nothing.
  mutating func handOver(_ app: String, from old: String, to new: String) {
    guard handovers.begin(app, from: old, to: new) else { return }
    for (group, claim) in claims {
      if claim.app == app { claims[group]?.app = "\(app)@\(old)" }
      if claim.app == "\(app)@\(new)" { claims[group]?.app = app }
    }
  }

  init() {}
}
