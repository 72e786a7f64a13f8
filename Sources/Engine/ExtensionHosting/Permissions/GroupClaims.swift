import ExtensionProtocol
import Time

/// The app that each app group belongs to: the first that claimed it, by being added or started.
///
/// When several apps name a group that none has claimed, the app that the group is named after has the first claim,
/// whichever is started first: `group.com.example.notes` and `group.com.example.notes.shared` are named after
/// `com.example.notes`.
final class GroupClaims: Sendable {
  private let file: CachedStateFile<GroupRecord>

  init(state: StateDirectory, log: any LogSink) {
    // A damaged record is not replaced by an empty one, as the decisions about the owners of groups would be lost.
    file = CachedStateFile(
      StateFile(
        path: "\(state.path)/groups.json", name: "The record of app groups", damage: .refuse, isDurable: true,
        timeout: .seconds(5), log: log))
  }

  /// The app that has claimed a group; `nil` when none has.
  ///
  /// - Throws: `storeFailed` when the record cannot be read.
  func owner(of group: String) throws(ExtensionError) -> String? { try file.load()?.owner(of: group) }

  /// The groups that belong to another app than this one, as far as groups have been claimed.
  ///
  /// - Throws: `storeFailed` when the record cannot be read.
  func foreign(_ groups: [String], to app: String, in registry: ExtensionRegistry) throws(ExtensionError) -> [String] {
    if groups.isEmpty { return [] }
    let record = try file.load() ?? GroupRecord()
    return groups.filter { group in
      let owner = record.owner(of: group) ?? Self.namesake(of: group, in: registry)
      return owner != nil && owner != app
    }
  }

  /// Claims for an app those of its groups that no app has claimed.
  ///
  /// - Throws: `storeFailed` when the record cannot be read or written; nothing is claimed then.
  func claim(_ groups: [String], for app: String, in registry: ExtensionRegistry) async throws(ExtensionError) {
    if groups.isEmpty { return }
    let record = try file.load() ?? GroupRecord()
    guard groups.contains(where: { record.owner(of: $0) == nil }) else { return }
    let time = UnixTime.now.fractionalSeconds
    try await file.change(or: GroupRecord()) { record throws(ExtensionError) in
      for group in groups { record.claim(group, for: Self.namesake(of: group, in: registry) ?? app, at: time) }
    }
  }

  /// Puts the claims of an app aside for another team's.
  ///
  /// - Throws: `storeFailed` when the record cannot be read or written.
  func handOver(_ app: String, from old: String, to new: String) async throws(ExtensionError) {
    guard try file.load() != nil else { return }
    try await file.change(or: GroupRecord()) { record throws(ExtensionError) in
      record.handOver(app, from: old, to: new)
    }
  }

  /// Returns the app of a registry that names a group and that the group is named after; of several, the one with the
  /// longest name.
  private static func namesake(of group: String, in registry: ExtensionRegistry) -> String? {
    guard group.hasPrefix("group.") else { return nil }
    let name = group.dropFirst("group.".count)
    let apps = registry.entries.filter { entry in
      guard entry.isApp, entry.state != .ignored, let manifest = entry.manifest else { return false }
      return manifest.appGroups.contains(group) && (name == entry.identifier || name.hasPrefix("\(entry.identifier)."))
    }
    return apps.map(\.identifier).max { $0.utf8.count < $1.utf8.count }
  }
}
