import ExtensionProtocol

/// Which app claimed which app group first, as the file of a state directory holds it.
///
/// A claim is never taken back: what the first app wrote lies in the group, whether or not the app is still there. Another
/// app gets to it by the user's word only (``PermissionKind/groups``).
struct GroupRecord: FormattedContent {
  /// One claim.
  struct Claim: Codable, Sendable, Equatable {
    /// The containing app's identifier.
    var app: String
    /// Seconds since 1970.
    @Timestamp<Double> var claimedAt: Double
  }

  static let currentFormat = 1

  var format = currentFormat
  /// By group.
  private(set) var claims: [String: Claim] = [:]

  /// The app that a group belongs to; `nil` while nobody has claimed it.
  func owner(of group: String) -> String? { claims[group]?.app }

  /// The first claim stays.
  mutating func claim(_ group: String, for app: String, at time: Double) {
    if claims[group] == nil { claims[group] = Claim(app: app, claimedAt: time) }
  }

  init() {}
}
