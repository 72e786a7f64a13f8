@testable import JSONRPC
import Testing

@testable import JSON

@Suite(.timeLimit(.minutes(1))) struct `The state of calls` {
  @Test func `gives an answer to the waiter of its id, once`() {
    var calls = CallStateMachine<String>(limit: 4)
    let (first, second) = (calls.nextID(), calls.nextID())
    #expect(calls.begin(first, "one", due: nil) == .waiting)
    #expect(calls.begin(second, "two", due: nil) == .waiting)
    #expect(describe(calls.answered(.number(second))) == "two")
    #expect(describe(calls.answered(.number(second))) == "duplicate")
    #expect(describe(calls.answered(.number(99))) == "unknown")
    #expect(describe(calls.answered(.number(0))) == "unknown")
    #expect(describe(calls.answered(.string("\(first)"))) == "unknown")
    #expect(calls.isWaiting(.number(first)) && !calls.isWaiting(.string("\(first)")))
    #expect(!calls.isWaiting(.number(second)) && calls.oldest == first)
    #expect(describe(calls.answered(.number(first))) == "one")
  }

  @Test func `expires what is due, earliest id first, and knows its late answers`() {
    var calls = CallStateMachine<String>(limit: 4)
    let ids = (0..<3).map { _ in calls.nextID() }
    _ = calls.begin(ids[0], "a", due: 100)
    _ = calls.begin(ids[1], "b", due: nil)
    _ = calls.begin(ids[2], "c", due: 50)
    #expect(calls.nextDue == 50)
    #expect(calls.expire(at: 49).isEmpty)
    #expect(calls.expire(at: 100).map(\.waiter) == ["a", "c"])
    #expect(calls.nextDue == nil)
    #expect(describe(calls.answered(.number(ids[0]))) == "late")
    #expect(describe(calls.answered(.number(ids[0]))) == "duplicate")
    #expect(describe(calls.answered(.number(ids[1]))) == "b")
  }

  @Test func `cancels once, and waits no longer than the grace`() {
    var calls = CallStateMachine<String>(limit: 4)
    let id = calls.nextID()
    _ = calls.begin(id, "a", due: 1000)
    #expect(calls.cancel(id, graceEnds: 200) == true)
    #expect(calls.cancel(id, graceEnds: 300) == false)
    #expect(calls.nextDue == 200)
    #expect(describe(calls.answered(.number(id))) == "a cancelled")
    #expect(calls.cancel(id, graceEnds: 400) == false)
  }

  @Test func `refuses more than the limit and takes more after an answer`() {
    var calls = CallStateMachine<String>(limit: 1)
    let ids = (0..<2).map { _ in calls.nextID() }
    #expect(calls.begin(ids[0], "a", due: nil) == .waiting)
    #expect(calls.begin(ids[1], "b", due: nil) == .full)
    _ = calls.answered(.number(ids[0]))
    #expect(calls.begin(ids[1], "b", due: nil) == .waiting)
    #expect(calls.close() == ["b"])
    #expect(calls.isEmpty)
  }

  @Test func `knows nothing of a call after the end`() {
    var calls = CallStateMachine<String>(limit: 4)
    let ids = (0..<2).map { _ in calls.nextID() }
    for id in ids { #expect(calls.begin(id, "\(id)", due: 5) == .waiting) }
    #expect(calls.close() == ["1", "2"] && calls.close() == [])
    #expect(calls.count == 0 && calls.oldest == nil && calls.nextDue == nil && !calls.isWaiting(.number(ids[0])))
    #expect(!calls.cancel(ids[0], graceEnds: 9) && calls.expire(at: 9).isEmpty)
    #expect(describe(calls.answered(.number(ids[1]))) == "duplicate")
  }

  private func describe(_ answer: CallStateMachine<String>.Answer) -> String {
    switch answer {
    case .resolve(let waiter, let isCancelled): isCancelled ? "\(waiter) cancelled" : waiter
    case .late: "late"
    case .duplicate: "duplicate"
    case .unknown: "unknown"
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The state of requests` {
  @Test func `accepts an id once until it is finished`() {
    var requests = RequestStateMachine<String>(limit: 2)
    #expect(requests.begin(.number(1)) == .accepted(slot: 0))
    #expect(requests.begin(.number(1)) == .duplicate)
    #expect(requests.begin(.string("1")) == .accepted(slot: 1))
    #expect(requests.begin(.number(2)) == .full)
    #expect(requests.begin(.number(1)) == .duplicate)
    requests.finished(.number(1), 0)
    #expect(requests.begin(.number(1)) == .accepted(slot: 0))
    #expect(requests.count == 2)
  }

  @Test func `delivers a cancellation to running work, and remembers one that came before`() {
    var requests = RequestStateMachine<String>(limit: 4)
    _ = requests.begin(.number(1))
    _ = requests.begin(.number(2))
    #expect(requests.started(0, "one") == false)
    #expect(describe(requests.cancel(.number(1))) == "one")
    #expect(describe(requests.cancel(.number(1))) == "noted")
    #expect(describe(requests.cancel(.number(2))) == "noted")
    #expect(requests.started(1, "two") == true)
    #expect(describe(requests.cancel(.number(3))) == "unknown")
    requests.finished(.number(1), 0)
    #expect(describe(requests.cancel(.number(1))) == "unknown")
    // The next request in the same place does not inherit the cancellation.
    #expect(requests.begin(.number(9)) == .accepted(slot: 0))
    #expect(requests.started(0, "nine") == false)
  }

  @Test func `tells ids apart that are two spellings of an accent`() {
    var requests = RequestStateMachine<String>(limit: 4)
    #expect(requests.begin(.string("\u{E9}")) == .accepted(slot: 0))
    #expect(requests.begin(.string("e\u{301}")) == .accepted(slot: 1))
    #expect(requests.begin(.string("e\u{301}")) == .duplicate)
    #expect(requests.count == 2)
  }

  @Test func `takes the least of all numbers for an id like any other`() {
    var requests = RequestStateMachine<String>(limit: 3)
    let (least, text) = (RequestID.number(.min), RequestID.string("a"))
    #expect(requests.begin(.number(1)) == .accepted(slot: 0))
    requests.finished(.number(1), 0)
    // A free place has no number.
    #expect(describe(requests.cancel(least)) == "unknown")
    for _ in 0..<2 {
      #expect(requests.begin(least) == .accepted(slot: 0))
      #expect(requests.begin(least) == .duplicate)
      #expect(requests.begin(text) == .accepted(slot: 1))
      #expect(requests.started(0, "least") == false)
      #expect(requests.started(1, "text") == false)
      #expect(describe(requests.cancel(least)) == "least")
      #expect(describe(requests.cancel(text)) == "text")
      requests.finished(text, 1)
      requests.finished(least, 0)
      #expect(describe(requests.cancel(least)) == "unknown")
      #expect(describe(requests.cancel(text)) == "unknown")
      #expect(requests.count == 0)
    }
  }

  private func describe(_ outcome: RequestStateMachine<String>.Cancel) -> String {
    switch outcome {
    case .cancel(let work): work
    case .noted: "noted"
    case .unknown: "unknown"
    }
  }
}
