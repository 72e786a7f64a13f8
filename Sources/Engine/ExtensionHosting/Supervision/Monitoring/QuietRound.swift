import CLinux
import EventLoop

/// Comes by at processes that wait. One pass at a fixed interval asks the kernel for the processor time of each of them,
/// and calls nobody but the members whose process has run. The actor and its members live on its loop.
///
/// A thousand processes that wait cost a thousand system calls a pass, and nothing else.
actor QuietRound {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let pace: Duration
  /// The processes, their processor times in nanoseconds, and whom to call; one member has the same place in each.
  private var pids: [Int32] = []
  private var times: [UInt64] = []
  private var members: [(id: ObjectIdentifier, hasRun: @Sendable () -> Void)] = []
  private var places: [ObjectIdentifier: Int] = [:]
  /// Those whose process has run, until they are called.
  private var due: [ObjectIdentifier: @Sendable () -> Void] = [:]
  private var timer: TimerToken?

  init(every pace: Duration, on loop: EventLoop) {
    self.pace = pace
    self.loop = loop
  }

  /// The number of members.
  var count: Int { members.count }

  /// Adds a member whose process waits; an existing member is added anew.
  ///
  /// - Parameters:
  ///   - time: the processor time that the process has used, in nanoseconds.
  ///   - hasRun: called once, after the process has used more, or when its time cannot be told. The member is none any
  ///     more by then.
  func join(_ member: AnyObject, process pid: Int32, time: UInt64, hasRun: @escaping @Sendable () -> Void) {
    leave(member)
    places[ObjectIdentifier(member)] = members.count
    pids.append(pid)
    times.append(time)
    members.append((ObjectIdentifier(member), hasRun))
    if timer == nil { wait() }
  }

  /// Removes a member; does nothing when the object is not one.
  func leave(_ member: AnyObject) {
    due[ObjectIdentifier(member)] = nil
    guard let place = places[ObjectIdentifier(member)] else { return }
    remove(at: place)
    guard members.isEmpty, let timer else { return }
    loop.cancel(timer)
    self.timer = nil
  }

  /// The last member takes the place of the one that goes.
  private func remove(at place: Int) {
    places[members[place].id] = nil
    let last = members.count - 1
    if place != last {
      (pids[place], times[place], members[place]) = (pids[last], times[last], members[last])
      places[members[place].id] = place
    }
    pids.removeLast()
    times.removeLast()
    members.removeLast()
  }

  private func wait() {
    timer = loop.schedule(after: pace) { [weak self] in self?.assumeIsolated { $0.comeBy() } }
  }

  private func comeBy() {
    timer = nil
    var place = 0
    while true {
      place = unsafe clinux_next_that_ran(pids, times, members.count, place)
      if place == members.count { break }
      due[members[place].id] = members[place].hasRun
      remove(at: place)
    }
    // One that leaves meanwhile is not called.
    for member in Array(due.keys) { due.removeValue(forKey: member)?() }
    if timer == nil, !members.isEmpty { wait() }
  }
}
