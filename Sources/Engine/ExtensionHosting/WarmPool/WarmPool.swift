import EventLoop
import ExtensionProtocol

/// The instances that are started ahead: launched, confined, the handshake done, and free for the next request.
///
/// The scope of each is a child of the host's `run()`.
actor WarmPool {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// A ready instance, for the next request.
  struct Kept: Sendable {
    let instance: ExtensionInstance
    let process: ExtensionProcess
    let rule: ExtensionPointDefinition.Reuse
  }

  private struct Entry {
    let kept: Kept
    /// A request has it.
    var isTaken = false
    /// Another version was tried and failed, while its files were these.
    var refused: TargetStamp?
    /// The count of uses at its last one.
    var used: UInt64

    var instance: ExtensionInstance { kept.instance }
    var isLive: Bool { instance.assumeIsolated { $0.isLive } }
    var isFree: Bool { !isTaken && isLive }
  }

  let capacity: Int
  /// By the number of the instance.
  private var entries: [UInt64: Entry] = [:]
  private var orders: AsyncStream<WarmOrder>.Continuation?
  /// The orders that are carried out, by the identifier of the extension.
  private var underWay: [String: WarmOrder] = [:]
  private var uses: UInt64 = 0

  init(capacity: Int, loop: EventLoop) {
    self.capacity = capacity
    self.loop = loop
  }

  /// Carries orders out until the task is cancelled; then everything that is kept has ended.
  func run(_ start: @escaping @Sendable (WarmOrder) async -> Void) async {
    let (stream, continuation) = AsyncStream.makeStream(of: WarmOrder.self)
    orders = continuation
    await withDiscardingTaskGroup { group in
      for await order in stream {
        group.addTask(executorPreference: loop) {
          await start(order)
          order.finish(throwing: ExtensionError(.shuttingDown, "The host ended."))
        }
      }
      orders = nil
      for entry in entries.values { end(entry.instance, .idle) }
      group.cancelAll()
    }
  }

  var isRunning: Bool { orders != nil }
  var freeCount: Int { entries.values.count { $0.isFree } }
  var count: Int { entries.values.count { $0.isLive } }

  /// Orders a process and waits until it is ready.
  ///
  /// - Parameter version: the version that stays in use when this one fails.
  /// - Throws: `shuttingDown` when the host is not running, `limitExceeded` when every process that may be kept is in
  ///   use; otherwise the error of the launch.
  func start(_ target: LaunchTarget, replacing version: String? = nil) async throws(ExtensionError) {
    guard let orders else {
      throw ExtensionError(
        .shuttingDown, "Nothing is started ahead: the host does not run.", recovery: "Call ExtensionHost.run() first.")
    }
    let id = target.identity.id
    if let order = underWay[id] { return try await order.value() }
    if version == nil, count + underWay.count >= capacity, !evict() {
      throw ExtensionError(.limitExceeded, "\(capacity) processes are kept already, and all are in use.")
    }
    let order = WarmOrder(target: target, replaces: version)
    underWay[id] = order
    defer { if underWay[id] === order { underWay[id] = nil } }
    if case .terminated = orders.yield(order) {
      // The host has ended and takes no more orders.
      order.finish(throwing: ExtensionError(.shuttingDown, "The host ended."))
    }
    try await order.value()
  }

  /// Ends the free process that was not used for the longest time.
  private func evict() -> Bool {
    let free = entries.values.filter { $0.isFree }
    guard let entry = free.min(by: { $0.used < $1.used }) else { return false }
    end(entry.instance, .idle)
    return true
  }

  /// Ends every process that no request has.
  func endFree() {
    for entry in entries.values where entry.isFree { end(entry.instance, .idle) }
  }

  /// A process is ready.
  func add(
    _ instance: ExtensionInstance, _ process: ExtensionProcess, _ rule: ExtensionPointDefinition.Reuse,
    for order: WarmOrder
  ) {
    uses += 1
    if underWay[instance.identity.id] === order { underWay[instance.identity.id] = nil }
    entries[instance.number] = Entry(kept: Kept(instance: instance, process: process, rule: rule), used: uses)
    let isLive = instance.assumeIsolated { instance in
      instance.event(.kept)
      return instance.isLive
    }
    // It may have exited since its handshake, before it was known here.
    if !isLive { end(instance, .idle) }
    if !Task.isCancelled { order.finish() }
  }

  /// Whether a process of an extension waits.
  func holds(_ id: String) -> Bool { find(id) != nil }

  private func find(_ id: String) -> Entry? {
    entries.values.first { $0.instance.identity.id == id && $0.isFree }
  }

  /// Takes a process out for one request. The request begins here, as the instance lives on the same loop: a hop to
  /// another actor would cost a turn of the loop, and a user's request should cost one round trip.
  ///
  /// - Returns: the process, and whether the request has begun. It has not when the files differ from those that the
  ///   process was started from.
  func take(_ id: String) -> (kept: Kept, hasBegun: Bool)? {
    while let entry = find(id) {
      let instance = entry.instance
      uses += 1
      entries[instance.number]?.isTaken = true
      entries[instance.number]?.used = uses
      let now = TargetStamp(instance.target)
      guard now == instance.stamp || now == entry.refused else { return (entry.kept, false) }
      if instance.assumeIsolated({ $0.beginRequest() }) { return (entry.kept, true) }
      giveBack(entry.kept, stop: .idle)
    }
    return nil
  }

  /// Ends the request of a process.
  ///
  /// - Parameter stop: the reason why the process ends; `nil` when another request may use it.
  func finish(_ kept: Kept, stop: StopReason?) {
    kept.instance.assumeIsolated { instance in
      instance.endRequest()
      if stop == nil { instance.event(.kept) }
    }
    giveBack(kept, stop: stop)
  }

  /// Returns a process that has no request any more.
  ///
  /// - Parameter stop: the reason why it ends; `nil` when another request may use it, unless it has exited.
  func giveBack(_ kept: Kept, stop: StopReason?) {
    entries[kept.instance.number]?.isTaken = false
    if let stop { end(kept.instance, stop) } else { ended(kept.instance) }
  }

  /// The files of a process that was taken changed, and what they hold now does not start.
  func refuse(_ stamp: TargetStamp, insteadOf kept: Kept) { entries[kept.instance.number]?.refused = stamp }

  /// A process may have ended by itself: what is left of it goes, once no request has it.
  func ended(_ instance: ExtensionInstance) {
    if let entry = entries[instance.number], !entry.isTaken, !entry.isLive { end(instance, .idle) }
  }

  /// Removes a process whose scope has ended.
  func remove(_ instance: ExtensionInstance) { entries[instance.number] = nil }

  private func end(_ instance: ExtensionInstance, _ reason: StopReason) {
    instance.assumeIsolated { $0.finish(reason) }
  }
}
