extension LifecycleStateMachine {
  mutating func launchEnded(_ event: Event) -> [Action] {
    guard state == .launching || state == .eligible else { return [] }
    switch (event, state) {
    case (.handshakeDone, .launching): return enter(.ready)
    case (.handshakeRefused, .launching): return enter(.incompatible, [.terminate(.policy)])
    case (.handshakeTimedOut, .launching):
      return enter(.terminated(.killed(.handshakeTimeout)), [.kill(.handshakeTimeout)])
    case (.launchFailed, _): return enter(.terminated(.notStarted))
    default: return []
    }
  }

  mutating func request(_ event: Event) -> [Action] {
    switch (event, state) {
    case (.requestBegan, .ready), (.requestBegan, .completing), (.requestBegan, .idle), (.requestBegan, .suspended):
      return enter(.running(1))
    case (.requestBegan, .running(let count)): return enter(.running(count + 1))
    case (.requestEnded, .running(1)): return enter(.completing, [.start(.completion)])
    case (.requestEnded, .running(let count)): return enter(.running(count - 1))
    case (.requestEnded, .superseded(let count)) where count > 1: return enter(.superseded(count - 1))
    case (.requestEnded, .superseded): return enter(.terminated(.stopped(.update)), [.terminate(.update)])
    case (.completionDone, .completing): return enter(.idle, [.start(.idle), .start(.ping)])
    case (.kept, .ready): return enter(.suspended, [.start(.idle), .start(.ping)])
    case (.kept, .idle): return enter(.suspended)
    default: return []
    }
  }

  mutating func fired(_ timer: Timer) -> [Action] {
    switch (timer, state) {
    case (.slowLaunch, .launching): return [.warn]
    case (.completion, .completing): return enter(.idle, [.start(.idle), .start(.ping)])
    case (.idle, .idle), (.idle, .suspended):
      return enter(.terminated(.stopped(.idle)), [.terminate(.idle)])
    case (.ping, .idle), (.ping, .suspended): return pingIsDue()
    default: return []
    }
  }

  mutating func version(_ event: Event) -> [Action] {
    switch (event, state) {
    case (.replaced, .running(let count)): return enter(.superseded(count))
    case (.replaced, .ready), (.replaced, .completing), (.replaced, .idle), (.replaced, .suspended):
      return enter(.superseded(0))
    case (.reinstated, .superseded(0)): return enter(.suspended, [.start(.idle), .start(.ping)])
    case (.reinstated, .superseded(let count)): return enter(.running(count))
    default: return []
    }
  }

  mutating func stop(_ reason: StopReason) -> [Action] {
    switch state {
    case .launching, .ready, .running, .completing, .idle, .suspended, .superseded:
      return enter(.terminated(.stopped(reason)), [.terminate(reason)])
    case .eligible: return enter(.terminated(.notStarted))
    case .terminated, .incompatible: return []
    }
  }
}
