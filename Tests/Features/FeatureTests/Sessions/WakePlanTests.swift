import Testing

@testable import HostServices
@testable import SessionServices

@Suite(.timeLimit(.minutes(1)))
struct `The plan of starting an app for its events` {
  private let start = ContinuousClock.now

  @Test func `begins at once`() {
    var plan = WakePlan()
    #expect(plan.next(for: 1, at: start) == start)
  }

  @Test func `waits longer after each attempt in vain, and ends with the third`() {
    var plan = WakePlan()
    for pause in WakePlan.pauses {
      _ = plan.next(for: 1, at: start)
      plan.failed(at: start)
      #expect(plan.next(for: 1, at: start) == start + pause)
      #expect(plan.next(for: 1, at: start + pause * 2) == start + pause * 2, "it is due, and no later")
    }
    plan.failed(at: start)
    #expect(plan.next(for: 1, at: start + .seconds(1_000_000)) == nil)
  }

  @Test func `waits 5 s after the first attempt, and a minute after the second`() {
    #expect(WakePlan.mostAttempts == 3 && WakePlan.pauses == [.seconds(5), .seconds(60)])
  }

  @Test func `begins anew with a newer event, once it had ended`() {
    var plan = WakePlan()
    _ = plan.next(for: 1, at: start)
    plan.failed(at: start)
    #expect(plan.next(for: 2, at: start) == start + WakePlan.pauses[0], "a newer event does not hasten an attempt")
    for _ in 0..<2 { plan.failed(at: start) }
    #expect(plan.next(for: 2, at: start) == nil)
    #expect(plan.next(for: 3, at: start) == start)
  }
}
