import CommandRuntime
import ContentClient
import Files
import HostServices

/// The data that widgets show and other processes change: the suites of their app groups, and the content cache. A look
/// costs a few `stat` calls while nothing changes.
///
/// Writes of a widget during its update, in this host or another, are ignored: otherwise two hosts that watch the same
/// widgets would trigger each other without end.
struct WatchedState {
  /// Stands for the cache of content among the groups that changed.
  static let content = "content"

  /// Returns the stamps of an SQLite database's files, which change with every write.
  private static func stamps(of database: String) -> [FileStamp?] {
    ["", "-wal"].map { FileStamp("\(database)\($0)") }
  }

  private let store: SuiteStore
  private let groups: [String]
  private let storePath: String
  private let contentPath: String
  private let cached: CachedContent
  private var storeStamp: [FileStamp?] = []
  private var contentStamp: [FileStamp?] = []
  private var revisions: [String: Int64] = [:]
  private var signature: Int?

  init(store: SuiteStore, groups: [String], home: String) {
    self.store = store
    self.groups = groups
    storePath = "\(home)/store/groups.sqlite"
    contentPath = "\(home)/cache/content.sqlite"
    cached = CachedContent(path: contentPath)
  }

  /// Marks all changes up to now as known.
  mutating func settle() async throws { _ = try await groupsThatChanged() }

  /// The answers in the cache are known: the widgets that were updated have seen them, or fetched them.
  mutating func settleContent() async { _ = await contentChanged() }

  /// Returns the app groups that a process other than a widget wrote since the last look, and ``content`` when the
  /// cache has other answers.
  mutating func groupsThatChanged() async throws -> Set<String> {
    // The store first: what a look finds that fails is not known to anybody, and is found again.
    var changed = try await writtenGroups()
    if await contentChanged() { changed.insert(Self.content) }
    return changed
  }

  private mutating func writtenGroups() async throws -> Set<String> {
    let stamp = Self.stamps(of: storePath)
    // A store in a database has no file that would tell.
    guard stamp != storeStamp || !store.isFile else { return [] }
    var found: [String: Int64] = [:]
    for group in groups { found[group] = try await store.loudRevision(of: group) }
    let changed = groups.filter { found[$0] != revisions[$0] }
    (storeStamp, revisions) = (stamp, found)
    return Set(changed)
  }

  private mutating func contentChanged() async -> Bool {
    let stamp = Self.stamps(of: contentPath)
    guard stamp != contentStamp else { return false }
    contentStamp = stamp
    guard stamp[0] != nil else { return false }
    let before = signature
    signature = await cached.signature()
    return signature != before
  }
}
