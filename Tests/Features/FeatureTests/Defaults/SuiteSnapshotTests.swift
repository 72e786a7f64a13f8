import Contracts
import Testing

@testable import AppExtensions

private func change(_ key: String, _ value: PropertyListValue?, _ revision: Int64) -> Defaults.Change {
  .init(key: key, value: value, revision: revision)
}

private func news(_ after: Int64, _ changes: [Defaults.Change], _ revision: Int64) -> Defaults.DidChange {
  .init(suite: "s", revision: revision, keys: changes.map(\.key), after: after, changes: changes)
}

@Suite(.timeLimit(.minutes(1)))
struct `A copy of a suite` {
  private var loaded: SuiteSnapshot {
    var copy = SuiteSnapshot()
    _ = copy.answered(.init(revision: 5, whole: true, changes: [change("a", 1, 2), change("b", 2, 5)]))
    return copy
  }

  @Test func `has to be fetched first, and takes over what it was told meanwhile`() {
    var copy = SuiteSnapshot()
    #expect(copy.isBehind)
    #expect(copy.changed(news(5, [change("a", 3, 6)], 6)) == .unchanged)
    #expect(copy.changed(news(3, [change("b", 0, 4)], 4)) == .unchanged)
    _ = copy.answered(.init(revision: 5, whole: true, changes: [change("a", 1, 2), change("b", 2, 5)]))
    #expect(copy.values == ["a": 3, "b": 2])
    #expect(copy.revision == 6)
    #expect(!copy.isBehind)
  }

  @Test func `follows changes that continue it, or overlap with it, and ignores old ones`() {
    var copy = loaded
    #expect(copy.changed(news(5, [change("b", nil, 6)], 6)) == .advanced(["b"]))
    #expect(copy.changed(news(5, [change("b", nil, 6)], 6)) == .unchanged)
    #expect(copy.changed(news(4, [change("b", nil, 6), change("c", 9, 8)], 8)) == .advanced(["c"]))
    #expect(copy.values == ["a": 1, "c": 9])
    #expect(copy.keyRevisions == ["a": 2, "c": 8])
  }

  @Test func `knows when something is missing, and catches up`() {
    var copy = loaded
    #expect(copy.changed(news(7, [change("a", 7, 8)], 8)) == .behind)
    #expect(copy.isBehind && copy.values["a"] == 1)
    #expect(
      copy.answered(.init(revision: 8, whole: false, changes: [change("b", 3, 7), change("a", 7, 8)]))
        == .advanced(["b", "a"]))
    #expect(!copy.isBehind && copy.values == ["a": 7, "b": 3])
  }

  @Test func `takes over its own write, unless others wrote in between`() {
    var copy = loaded
    #expect(copy.wrote([change("a", 9, 6)], at: 6) == .advanced(["a"]))
    #expect(copy.changed(news(5, [change("a", 9, 6)], 6)) == .unchanged)
    #expect(copy.wrote([change("a", 10, 8)], at: 8) == .behind)
    #expect(copy.values["a"] == 9)
    #expect(copy.removedAll(at: 7) == .advanced(["a", "b"]))
    #expect(copy.values.isEmpty)
  }

  @Test func `is replaced when the store was, and never turned back otherwise`() {
    var copy = loaded
    #expect(copy.answered(.init(revision: 4, whole: true, changes: [])) == .unchanged)
    #expect(copy.revision == 5)
    #expect(copy.changed(.init(suite: "s", revision: 1, keys: [])) == .behind)
    #expect(copy.answered(.init(revision: 1, whole: true, changes: [change("z", 1, 1)])) == .replaced)
    #expect(copy.values == ["z": 1] && copy.keyRevisions == ["z": 1] && copy.revision == 1)
  }

  @Test func `keeps 64 early changes, and applies them once`() {
    var copy = SuiteSnapshot()
    for revision in 6...Int64(70) {
      _ = copy.changed(news(revision - 1, [change("a", .integer(revision), revision)], revision))
    }
    #expect(copy.answered(.init(revision: 5, whole: true, changes: [])) == .unchanged)
    #expect(copy.revision == 69 && copy.values == ["a": 69] && !copy.isBehind)
    #expect(copy.changed(.init(suite: "s", revision: 1, keys: [])) == .behind)
    #expect(copy.answered(.init(revision: 1, whole: true, changes: [])) == .replaced)
    #expect(copy.revision == 1 && copy.values == [:] && !copy.isBehind)
  }

  @Test func `has nothing to take over before it was fetched, and nothing twice`() {
    var copy = SuiteSnapshot()
    #expect(copy.wrote([change("a", 1, 1)], at: 1) == .unchanged)
    #expect(copy.removedAll(at: 2) == .unchanged)
    #expect(copy.isBehind && copy.revision == nil && copy.values == [:] && copy.revisionToAskAfter == nil)
    copy = loaded
    #expect(copy.wrote([change("b", 7, 5)], at: 5) == .unchanged)
    #expect(copy.values == ["a": 1, "b": 2] && !copy.isBehind)
    #expect(copy.answered(.init(revision: 5, whole: false, changes: [change("b", 7, 5)])) == .unchanged)
    #expect(copy.values == ["a": 1, "b": 2] && copy.keyRevisions == ["a": 2, "b": 5])
    #expect(copy.removedAll(at: 6) == .advanced(["a", "b"]))
    #expect(copy.revision == 6 && copy.values == [:] && copy.keyRevisions == [:])
  }

  @Test func `has to be fetched anew when a change does not say what it was`() {
    for said in [
      Defaults.DidChange(suite: "s", revision: 6, keys: ["a"], after: 5, changes: nil),
      Defaults.DidChange(suite: "s", revision: 6, keys: ["a"], after: nil, changes: [change("a", 3, 6)]),
    ] {
      var copy = loaded
      #expect(copy.changed(said) == .behind)
      #expect(copy.isBehind && copy.revisionToAskAfter == nil && copy.values["a"] == 1)
    }
  }

  @Test func `asks for everything when the store was replaced, also by one that has come further`() {
    var copy = loaded
    #expect(copy.revisionToAskAfter == 5)
    #expect(copy.changed(.init(suite: "s", revision: 9, keys: [])) == .behind)
    #expect(copy.revisionToAskAfter == nil)
    // The answer to a question that was asked before.
    #expect(copy.answered(.init(revision: 9, whole: false, changes: [change("c", 1, 9)])) == .behind)
    #expect(copy.isBehind && copy.values["c"] == nil)
    #expect(copy.answered(.init(revision: 9, whole: true, changes: [change("z", 1, 9)])) == .replaced)
    #expect(!copy.isBehind && copy.values == ["z": 1])
    #expect(copy.revisionToAskAfter == 9)
  }

  @Test func `stays behind when an answer was asked for before something was missing`() {
    var copy = loaded
    #expect(copy.changed(news(6, [change("c", 3, 7)], 7)) == .behind)
    var asked = copy.misses
    #expect(copy.changed(news(8, [change("d", 4, 9)], 9)) == .behind)
    let early = Defaults.Follow.Result(revision: 8, whole: false, changes: [change("c", 3, 7)])
    #expect(copy.answered(early, asked: asked) == .advanced(["c"]))
    #expect(copy.isBehind && copy.revision == 8)
    asked = copy.misses
    let late = Defaults.Follow.Result(revision: 9, whole: false, changes: [change("d", 4, 9)])
    #expect(copy.answered(late, asked: asked) == .advanced(["d"]))
    #expect(!copy.isBehind && copy.values["d"] == 4)
    // It has what was missing, although it was asked for before.
    #expect(copy.wrote([change("e", 5, 11)], at: 11) == .behind)
    let enough = Defaults.Follow.Result(revision: 11, whole: false, changes: [change("e", 5, 11)])
    #expect(copy.answered(enough, asked: asked) == .advanced(["e"]) && !copy.isBehind)
  }

  @Test func `is not replaced by an answer that was asked for before the store was`() {
    var copy = loaded
    let asked = copy.misses
    #expect(copy.changed(.init(suite: "s", revision: 9, keys: [])) == .behind)
    let old = Defaults.Follow.Result(revision: 9, whole: true, changes: [change("z", 1, 9)])
    #expect(copy.answered(old, asked: asked) == .behind)
    #expect(copy.isBehind && copy.revisionToAskAfter == nil && copy.values["z"] == nil)
    #expect(copy.answered(old, asked: copy.misses) == .replaced && !copy.isBehind)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The log of a suite's changes` {
  @Test func `gives each reader what it has not seen, once and without a gap`() {
    var log = ChangeLog()
    log.restart(at: 5)
    #expect(log.change(after: 5, prefix: "") == nil)
    log.append(["a", "b"], revision: 6)
    log.append(["a"], revision: 9)
    #expect(
      log.change(after: 5, prefix: "") == SuiteChange(after: 5, revision: 9, keys: ["a", "b"], mustReread: false))
    #expect(log.change(after: 6, prefix: "b") == SuiteChange(after: 6, revision: 9, keys: [], mustReread: false))
    #expect(log.change(after: 9, prefix: "") == nil)
  }

  @Test func `tells keys and prefixes apart by their bytes`() {
    var log = ChangeLog()
    log.restart(at: 1)
    log.append(["\u{E9}", "e\u{301}", "\u{E9}"], revision: 2)
    for (prefix, keys) in [("", ["e\u{301}", "\u{E9}"]), ("e", ["e\u{301}"]), ("\u{E9}", ["\u{E9}"])] {
      let found = log.change(after: 1, prefix: prefix)?.keys.map { Array($0.utf8) } ?? []
      #expect(Set(found) == Set(keys.map { Array($0.utf8) }) && found.count == keys.count, "\(prefix)")
    }
  }

  @Test func `tells who is too far behind to read again`() {
    var log = ChangeLog()
    log.restart(at: 0)
    for revision in 1...Int64(ChangeLog.limit + 5) { log.append(["k"], revision: revision) }
    for (after, isLost) in [(3, true), (4, true), (5, false), (6, false)] as [(Int64, Bool)] {
      #expect(log.change(after: after, prefix: "")?.mustReread == isLost, "\(after)")
    }
    log.restart(at: 2)
    #expect(log.change(after: 6, prefix: "")?.mustReread == true)
  }

  @Test func `tells who was there before it began anew to read again, whatever the revision`() {
    var log = ChangeLog()
    log.restart(at: 5)
    #expect(log.restarts == 0, "there was nothing before")
    log.append(["a"], revision: 6)
    log.restart(at: 6)
    log.append(["b"], revision: 7)
    for after in [5, 6, 7] as [Int64] {
      #expect(
        log.change(after: after, since: 0, prefix: "")
          == SuiteChange(after: after, revision: 7, keys: [], mustReread: true))
    }
    #expect(
      log.change(after: 6, since: 1, prefix: "")
        == SuiteChange(after: 6, revision: 7, keys: ["b"], mustReread: false))
    #expect(log.change(after: 7, since: 1, prefix: "") == nil)
  }
}
