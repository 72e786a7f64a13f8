import ExtensionProtocol
import JSONRPC

/// Which app claimed which app group first, as the file of a state directory holds it.
///
/// A claim is never taken back: what the first app wrote lies in the group, whether or not the app is still there. Another
/// app gets to it by the user's word only (``PermissionKind/groups``).
struct GroupRecord: StateContent {
  /// One claim.
  struct Claim: Codable, Sendable, Equatable {
    /// The containing app's identifier.
    var app: String
    /// Seconds since 1970.
    @Timestamp<Double> var claimedAt: Double
  }

  private struct Header: Codable { var format: Int }

  /// The version of the format that this build writes and reads.
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

  /// - Throws: ``LaterFormat``, and `DecodingError` when the bytes are no record.
  init(parsing bytes: [UInt8]) throws {
    let header = try JSONCoding.decode(Header.self, from: bytes)
    guard header.format == Self.currentFormat else {
      throw LaterFormat(found: header.format, known: Self.currentFormat)
    }
    self = try JSONCoding.decode(GroupRecord.self, from: bytes)
  }

  init() {}

  /// For people to read, keys in order.
  var fileBytes: [UInt8] {
    get throws {
      Array((JSONCoding.prettyText(of: try JSONCoding.value(of: self), sortsKeys: true) + "\n").utf8)
    }
  }
}
