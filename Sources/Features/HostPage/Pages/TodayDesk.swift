import EventLoop
import ExtensionHosting
import ExtensionProtocol
import HostServices
import Synchronization
import Time

/// Keeps the Today widgets of a host up to date while somebody looks at a page.
actor TodayDesk {
  private let host: ExtensionHost
  private let feed: PageFeed
  private let interval: Duration
  private let store: SuiteStore
  private let today: TodayService
  /// What the last update of each widget came to, in this host.
  private var states: [String: WidgetState] = [:]
  private var updating: Set<String> = []
  /// Those that have to be updated again, as something changed meanwhile.
  private var again: [String: WidgetUpdateReason] = [:]
  /// The widgets that are shown whole.
  private var expanded: Set<String> = []
  private var visibleUntil: ContinuousClock.Instant?
  private let work: AsyncStream<Work>
  private nonisolated let queue: AsyncStream<Work>.Continuation

  private enum Work: Sendable {
    case update(String, WidgetUpdateReason)
    case follow(String)
  }

  /// How often the schedule is looked at.
  private static let tick = Duration.seconds(1)
  /// How long a page without a stream counts as looked at.
  private static let attention = Duration.seconds(60)

  init(host: ExtensionHost, feed: PageFeed, interval: Duration) {
    self.host = host
    self.feed = feed
    self.interval = interval
    store = host.service(DefaultsService.self).store
    today = host.service(TodayService.self)
    (work, queue) = AsyncStream.makeStream()
  }

  /// The widgets that can be used, in the order of their identifiers.
  nonisolated var entries: [RegistryEntry] { host.registry.extensions(at: .today) }

  func isExpanded(_ id: String) -> Bool { expanded.contains(id) }

  /// Whether a widget has more to show than its first lines, as it said when it last ran.
  nonisolated func canExpand(_ id: String) -> Bool { today.records.record(of: id).largestDisplayMode == .expanded }

  nonisolated func presentation(isExpanded: Bool) -> WidgetPresentation {
    WidgetPresentation(wanted: isExpanded ? .expanded : .compact, columns: 60, maximumLines: 60)
  }

  /// What there is to show of a widget now; it is not started.
  func state(of id: String) -> WidgetState {
    var stored = today.stored(id, in: presentation(isExpanded: expanded.contains(id)))
    stored.outcome = states[id]?.outcome
    stored.error = states[id]?.error
    return stored
  }

  /// Somebody looks at the widgets: those that were not updated for an interval are, now.
  func look() {
    let now = ContinuousClock.now
    let isNew = visibleUntil.map { $0 < now } ?? true
    visibleUntil = now + Self.attention
    guard isNew else { return }
    for entry in entries { update(entry.identifier, .visible) }
  }

  /// Updates a widget, now or when its update ends.
  func update(_ id: String, _ reason: WidgetUpdateReason) {
    guard !updating.contains(id) else { return again[id] = reason }
    updating.insert(id)
    queue.yield(.update(id, reason))
  }

  /// Shows a widget whole, or its first lines.
  func setExpanded(_ flag: Bool, _ id: String) {
    if flag { expanded.insert(id) } else { expanded.remove(id) }
    update(id, .visible)
  }

  /// Has a widget do what one of its rows is for.
  func select(_ row: Int, action: String, of id: String) async -> WidgetState {
    let state = await today.select(
      row, action: action, of: id, on: host, in: presentation(isExpanded: expanded.contains(id)))
    if state.error == nil { states[id] = state }
    feed.touch("today")
    return state
  }

  // MARK: Running

  /// Updates widgets until the task is cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.schedule() }
      followGroups()
      for await work in work {
        switch work {
        case .update(let id, let reason): group.addTask { await self.run(id, reason) }
        case .follow(let name): group.addTask { await self.follow(name) }
        }
      }
      group.cancelAll()
    }
  }

  private func run(_ id: String, _ reason: WidgetUpdateReason) async {
    let presentation = presentation(isExpanded: expanded.contains(id))
    let state = await today.update(id, on: host, reason: reason, in: presentation) { await self.show($0, of: id) }
    updating.remove(id)
    // An answer is shown already.
    if state.error != nil || state.outcome == .noData { show(state, of: id) }
    if let reason = again.removeValue(forKey: id) { return update(id, reason) }
    // What was written to once is often written to again, while somebody looks.
    if reason == .push, state.error == nil, feed.count > 0 { try? await host.prewarm(id) }
  }

  private func show(_ state: WidgetState, of id: String) {
    states[id] = state
    feed.touch("today")
  }

  private func schedule() async {
    while !Task.isCancelled {
      try? await host.loop.sleep(for: Self.tick)
      guard feed.count > 0 || visibleUntil.map({ $0 > .now }) ?? false else { continue }
      let now = UnixTime.now.fractionalSeconds
      // One that is being updated is not due: it may wait for its user's answer.
      for entry in entries where !updating.contains(entry.identifier) {
        let next = today.nextUpdate(of: entry.identifier, interval: interval.inSeconds)
        if let next, next <= now { update(entry.identifier, .scheduled) }
      }
    }
  }

  // MARK: Groups

  private var followed: Set<String> = []

  /// Every app group of an extension or app of the host.
  nonisolated var groups: [String] {
    Set(host.registry.entries.flatMap { $0.manifest?.appGroups ?? [] }).sorted()
  }

  /// Extensions have come or gone.
  func lookAgain() {
    states = states.filter { id, _ in entries.contains { $0.identifier == id } }
    feed.touch("today")
    followGroups()
  }

  private func followGroups() {
    for name in groups where followed.insert(name).inserted { queue.yield(.follow(name)) }
  }

  /// Updates the widgets that share a group after each write to it that is not their own. Where the store cannot be read,
  /// its pages say so.
  private func follow(_ name: String) async {
    do {
      var (revision, loud) = (try await store.all(in: name).revision, try await store.loudRevision(of: name))
      // A write between the two is still to come as a change.
      loud = min(loud, revision)
      for try await change in store.changes(in: name, after: revision) {
        revision = change.revision
        feed.touch("groups")
        let now = try await store.loudRevision(of: name)
        guard now != loud else { continue }
        loud = now
        guard feed.count > 0 || visibleUntil.map({ $0 > .now }) ?? false else { continue }
        for entry in entries where entry.manifest?.appGroups.contains(name) ?? false {
          update(entry.identifier, .push)
        }
      }
    } catch {
      followed.remove(name)
    }
  }
}

extension Duration {
  fileprivate var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
