import Files
import HostCLI
import HostServices

/// What widgets show and others change: the suites of their app groups, and the cache of content. A look costs a few
/// `stat` calls while nothing happens.
struct WatchedState {
  /// Stands for the cache of content among the groups that changed.
  static let content = "content"

  /// Of the files of an SQLite database, which change with every write.
  private static func stamps(of database: String) -> [FileStamp?] {
    ["", "-wal"].map { FileStamp("\(database)\($0)") }
  }

  private let store: SuiteStore
  private let groups: [String]
  private let storePath: String
  private let contentPath: String
  private var storeStamp: [FileStamp?] = []
  private var contentStamp: [FileStamp?] = []
  private var revisions: [String: Int64] = [:]

  init(store: SuiteStore, groups: [String], home: String) {
    self.store = store
    self.groups = groups
    storePath = "\(home)/store/groups.sqlite"
    contentPath = "\(home)/cache/content.sqlite"
  }

  /// What has happened up to now is known.
  mutating func settle() async throws {
    storeStamp = Self.stamps(of: storePath)
    contentStamp = Self.stamps(of: contentPath)
    for group in groups { revisions[group] = try await store.all(in: group).revision }
  }

  /// The app groups whose suites have another revision than before, and ``content`` when the cache has changed.
  mutating func groupsThatChanged() async throws -> Set<String> {
    var changed: Set<String> = []
    let content = Self.stamps(of: contentPath)
    if content != contentStamp { changed.insert(Self.content) }
    contentStamp = content
    let stamp = Self.stamps(of: storePath)
    guard stamp != storeStamp else { return changed }
    storeStamp = stamp
    for group in groups {
      let revision = try await store.all(in: group).revision
      if revision != revisions[group] { changed.insert(group) }
      revisions[group] = revision
    }
    return changed
  }
}
