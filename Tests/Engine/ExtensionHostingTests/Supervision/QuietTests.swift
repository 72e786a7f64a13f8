import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1)))
struct `The silence of an extension` {
  @Test(
    arguments: [
      (5, 5, .zero), (5, 12, .nanoseconds(7)), (0, .max, .nanoseconds(Int64.max)),
      // It wrapped around once: an extension that had just called was given up for having been silent for centuries.
      (6, 5, .zero), (.max, 0, .zero),
    ] as [(UInt64, UInt64, Duration)])
  func `is the time since its last sign of life, and none after it`(last: UInt64, now: UInt64, quiet: Duration) {
    #expect(Quiet.since(last, at: now) == quiet)
  }
}
