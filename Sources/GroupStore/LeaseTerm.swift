import EventLoop

/// A lease as a backend keeps it: the rules of taking, renewing and giving back, without any storage.
struct LeaseTerm: Sendable, Equatable {
  /// `nil` after it was given back.
  var owner: String?
  var token: Int64
  var boot: String
  /// Nanoseconds of the boot clock.
  var end: Int64

  /// Whether the time has not passed; the time of another start of the machine has.
  func isHeld(_ clock: BootClock) -> Bool { owner != nil && boot == clock.boot && clock.now() < end }

  func isHeld(by lease: Lease, _ clock: BootClock) -> Bool {
    isHeld(clock) && owner == lease.owner.name && token == lease.token
  }

  /// - Returns: the term of a new holder; `nil` while somebody else has it.
  static func taking(
    over term: LeaseTerm?, for owner: OwnerID, _ duration: Duration, _ clock: BootClock
  ) -> LeaseTerm? {
    if let term, term.isHeld(clock), term.owner != owner.name { return nil }
    return LeaseTerm(
      owner: owner.name, token: (term?.token ?? 0) + 1, boot: clock.boot, end: clock.end(of: duration))
  }
}

extension BootClock {
  /// When a duration that begins now is over.
  func end(of duration: Duration) -> Int64 {
    let (end, overflow) = now().addingReportingOverflow(Int64(clamping: duration.wholeNanoseconds))
    return overflow ? .max : end
  }
}
