/// The states of one process of an extension, from the wish to start it to its end. It decides; the instance that holds it
/// acts.
///
/// ```
/// eligible → launching → ready → running → completing → idle → suspended → terminated
///                ↓                  ↑__________________________|
///           incompatible        superseded: a newer version takes the new requests
/// ```
struct LifecycleStateMachine: Sendable, Equatable {
  /// Each state names those that it leads to.
  enum State: Sendable, Hashable {
    /// The process may be started. Leads to `launching`, or to `terminated` when the launch fails or is stopped.
    case eligible
    /// The process is there; it has not answered `initialize`. To `ready` or `incompatible` by its answer, else to
    /// `terminated`.
    case launching
    /// The handshake is complete. Leads to `running` by a request, to `suspended` when the process is kept, to
    /// `superseded`, to `terminated`.
    case ready
    /// So many requests are open. To itself with another count, to `completing` after the last, to `superseded`, to
    /// `terminated`.
    case running(Int)
    /// The last request has ended; what the extension still does for it has a grace period. To `running` by another, to
    /// `idle` after the grace, to `superseded`, to `terminated`.
    case completing
    /// No request is open. Leads to `running` by a request, to `suspended` when the process is kept, to `superseded`,
    /// to `terminated`.
    case idle
    /// Kept for the next request; the host sends it pings only. To `running` by a request, to `superseded`, to
    /// `terminated`.
    case suspended
    /// A newer version takes the new requests; so many old ones are open. To itself with a lower count, to `terminated`
    /// after the last; to `running` or `suspended` when the newer version fails.
    case superseded(Int)
    /// The process ends, or has ended. Final.
    case terminated(Ending)
    /// The process supports no protocol version of this host. Final.
    case incompatible
  }

  /// The reason a process ends.
  enum Ending: Sendable, Hashable {
    /// The host asked it to.
    case stopped(StopReason)
    /// The host used force.
    case killed(KillReason)
    /// The process ended by itself.
    case exited
    /// The process never started.
    case notStarted
  }

  enum Timer: Int, Sendable, Hashable, CaseIterable {
    /// A launch becomes slow.
    case slowLaunch
    /// The end of the grace period after a request.
    case completion
    /// The end of the permitted idle time.
    case idle
    /// The time for a ping.
    case ping
  }

  enum Event: Sendable, Hashable {
    case launched
    /// The launch failed before or in the handshake.
    case launchFailed
    case handshakeDone
    /// The extension speaks another protocol.
    case handshakeRefused
    case handshakeTimedOut
    case requestBegan
    case requestEnded
    /// The extension has nothing left to do for its requests.
    case completionDone
    /// The process is kept for the next request.
    case kept
    case timer(Timer)
    case pong
    /// A newer version is there.
    case replaced
    /// The newer version failed: this one serves again.
    case reinstated
    case stop(StopReason)
    case exited
  }

  enum Action: Sendable, Hashable {
    case start(Timer)
    case cancel(Timer)
    /// Say that the launch is slow.
    case warn
    case ping
    /// `terminate`, and force when that does not help.
    case terminate(StopReason)
    case kill(KillReason)
  }

  private(set) var state = State.eligible
  /// Pings that were not answered.
  private var missedPings = 0

  /// The number of unanswered pings after which a process is considered hung.
  static let pingLimit = 2

  /// Whether a request may begin now.
  var takesRequests: Bool {
    switch state {
    case .ready, .running, .completing, .idle, .suspended: true
    default: false
    }
  }

  /// Whether the process is, or may be, there.
  var isLive: Bool {
    switch state {
    case .launching, .ready, .running, .completing, .idle, .suspended, .superseded: true
    case .eligible, .terminated, .incompatible: false
    }
  }

  /// Takes an event in. One that means nothing in the present state changes nothing.
  mutating func event(_ event: Event) -> [Action] {
    switch event {
    case .launched: return state == .eligible ? enter(.launching, [.start(.slowLaunch)]) : []
    case .launchFailed, .handshakeDone, .handshakeRefused, .handshakeTimedOut: return launchEnded(event)
    case .requestBegan, .requestEnded, .completionDone, .kept: return request(event)
    case .timer(let timer): return fired(timer)
    case .pong:
      missedPings = 0
      return []
    case .replaced, .reinstated: return version(event)
    case .stop(let reason): return stop(reason)
    case .exited: return isLive ? enter(.terminated(.exited)) : []
    }
  }

  /// Changes the state; timers that belong to the old one are cancelled before the actions.
  mutating func enter(_ next: State, _ actions: [Action] = []) -> [Action] {
    let before = state
    state = next
    if !next.allows(.ping) { missedPings = 0 }
    var all: [Action] = []
    for timer in Timer.allCases where before.allows(timer) && !next.allows(timer) { all.append(.cancel(timer)) }
    return all.isEmpty ? actions : all + actions
  }

  /// A ping is due: the last two went unanswered, or one more is sent.
  mutating func pingIsDue() -> [Action] {
    guard missedPings < Self.pingLimit else {
      return enter(.terminated(.killed(.hung)), [.kill(.hung)])
    }
    missedPings += 1
    return [.ping, .start(.ping)]
  }
}

extension LifecycleStateMachine.State {
  /// Whether a timer may run in this state.
  fileprivate func allows(_ timer: LifecycleStateMachine.Timer) -> Bool {
    switch (timer, self) {
    case (.slowLaunch, .launching), (.completion, .completing): true
    case (.idle, .idle), (.idle, .suspended), (.ping, .idle), (.ping, .suspended): true
    default: false
    }
  }
}
