import CLinux
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(1))) struct `The watches of a loop` {
  private func watch(_ interest: Interest = .reading) -> Watch { Watch(5, interest) { _ in } }

  @Test func `are found by the token that they got, and not by one of a watch that was there before`() {
    var table = WatchTable()
    let (first, second) = (watch(), watch())
    table.insert(first)
    table.insert(second)
    #expect(table.find(first.token) === first && table.find(second.token) === second)
    #expect(first.token & 0xFFFF_FFFF == 0 && second.token & 0xFFFF_FFFF == 1)
    for _ in 0..<3 {
      let old = first.token
      table.remove(first)
      #expect(table.find(old) == nil)
      let next = watch()
      table.insert(next)
      // It has the place, and not the token.
      #expect(next.token & 0xFFFF_FFFF == 0 && next.token != old)
      #expect(table.find(old) == nil && table.find(next.token) === next)
      table.remove(first)
      #expect(table.find(next.token) === next, "that one was removed before")
      table.remove(next)
      table.insert(first)
      #expect(table.find(first.token) === first)
    }
    #expect(table.find(7) == nil && table.find(Poller.wakeToken) == nil && table.find(second.token) === second)
  }

  @Test func `are always ready as long as something is waited for`() {
    var table = WatchTable()
    let (first, second) = (watch(), watch(.writing))
    for watch in [first, second] { table.insert(watch) }
    #expect(!table.hasAlwaysReady)
    for _ in 0..<2 {
      table.setAlwaysReady(first)
      table.setAlwaysReady(first)
      table.setAlwaysReady(second)
      #expect(table.alwaysReady.count == 2 && table.hasAlwaysReady)
      first.interest = []
      table.setAlwaysReady(first)
      #expect(table.alwaysReady.count == 1 && table.alwaysReady.first === second)
      first.interest = .reading
    }
    table.remove(second)
    #expect(!table.hasAlwaysReady)
  }

  private static let none = Interest(rawValue: 0)
  private static let both = Interest(rawValue: CLINUX_READABLE | CLINUX_WRITABLE)

  static let readiness: [(UInt32, Interest)] = [
    (0, none), (CLINUX_READABLE, .reading), (CLINUX_WRITABLE, .writing), (CLINUX_READABLE | CLINUX_WRITABLE, both),
    (CLINUX_ERROR, both), (CLINUX_HANGUP, both), (CLINUX_READABLE | CLINUX_HANGUP, both), (2, none),
  ]

  @Test(arguments: readiness)
  func `are ready in both directions after a failure or a hang-up`(events: UInt32, ready: Interest) {
    #expect(Interest(ready: events) == ready)
  }

  static let deliveries: [(Interest, Interest, Interest?)] = [
    (both, .reading, .reading), (.writing, .reading, nil), (both, none, nil), (both, both, both),
    (.reading, both, .reading),
  ]

  @Test(arguments: deliveries)
  func `hear of what they wait for only`(ready: Interest, interest: Interest, heard: Interest?) {
    var all: [Interest] = []
    Watch(5, interest) { all.append($0) }.deliver(ready)
    #expect(all == (heard.map { [$0] } ?? []))
  }
}
