import CommandRuntime
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Glibc
import HostServices
import DataServices
import Time

/// Which widgets must be updated and why: their data has changed, or the interval has passed.
struct WidgetSchedule {
  private let invocation: Invocation
  private let stack: HostStack
  private let entries: [RegistryEntry]
  private let interval: Double
  private var watched: WatchedState
  /// How often what the widgets' queries of Data Connect came to had changed when they were looked at last.
  private var dataChanges: [Int]
  /// When a change of the cache was a reason to update, in the loop's time.
  private var lastContent: UInt64?

  init(_ invocation: Invocation, _ stack: HostStack, _ entries: [RegistryEntry], interval: Double) {
    self.invocation = invocation
    self.stack = stack
    self.entries = entries
    self.interval = interval
    let followed = stack.service(DataService.self).followed
    for entry in entries { followed.follow(entry.identifier) }
    dataChanges = entries.map { followed.changes(of: $0.identifier) }
    let groups = Set(entries.flatMap { $0.manifest?.appGroups ?? [] })
    watched = WatchedState(
      store: stack.service(DefaultsService.self).store, groups: groups.sorted(), home: stack.state.path)
  }

  /// Marks all changes up to now as known.
  mutating func settle() async throws { try await watched.settle() }

  /// The answers in the cache are known, after widgets were updated.
  mutating func settleContent() async { await watched.settleContent() }

  /// - Returns: places in the list: those whose group, content or data changed, and of the others those whose time has come.
  mutating func due() async throws -> (pushed: Set<Int>, scheduled: Set<Int>) {
    let changed = contentOnceAnInterval(try await watched.groupsThatChanged())
    let before = dataChanges
    let followed = stack.service(DataService.self).followed
    for entry in entries where !mayAskForData(entry) { followed.forget(entry.identifier) }
    dataChanges = entries.map { followed.changes(of: $0.identifier) }
    let pushed = entries.indices.filter { index in
      before[index] != dataChanges[index] || changed.contains(WatchedState.content)
        || !changed.isDisjoint(with: entries[index].manifest?.appGroups ?? [])
    }
    let scheduled = entries.indices.filter { index in
      let next = stack.service(TodayService.self).nextUpdate(of: entries[index].identifier, interval: interval)
      return next.map { $0 <= UnixTime.now.fractionalSeconds } ?? false
    }
    return (Set(pushed), Set(scheduled).subtracting(pushed))
  }

  /// Whether the user lets a widget have the data that is followed for it.
  private func mayAskForData(_ entry: RegistryEntry) -> Bool {
    guard let asked = entry.manifest?.askedPermissions.first(where: { $0.name == PermissionKind.data.name }) else {
      return false
    }
    return stack.host.configuration.permissions.state(of: asked, for: entry.identifier) == .granted
  }

  /// Limits content changes to one per interval, so that a server with ever-changing answers does not make two watching
  /// hosts trigger each other.
  private mutating func contentOnceAnInterval(_ changed: Set<String>) -> Set<String> {
    guard changed.contains(WatchedState.content) else { return changed }
    if let last = lastContent, invocation.loop.now < last &+ UInt64(interval) * 1_000_000_000 {
      return changed.subtracting([WatchedState.content])
    }
    lastContent = invocation.loop.now
    return changed
  }
}
