import Contracts
import PropertyList

/// A copy of a suite, which notifications keep current: always exactly the suite as of one revision. Pure.
struct SuiteSnapshot: Sendable {
  /// The effect of a notification on the copy.
  enum Outcome: Equatable {
    /// The copy is at a newer revision; these keys changed.
    case advanced([String])
    /// The copy was replaced: a reader of single changes must read the suite again.
    case replaced
    /// Old news.
    case unchanged
    /// Something is missing in between: the copy is behind until the host was asked.
    case behind
  }

  private(set) var values: [String: PropertyListValue] = [:]
  private(set) var keyRevisions: [String: Int64] = [:]
  /// The suite's revision; `nil` before the first answer of the host.
  private(set) var revision: Int64?
  /// Whether the host has to be asked before the next asynchronous read.
  private(set) var isBehind = true
  /// Whether the host has demanded a new read of the suite.
  private var isVoid = false
  /// How often something was missing. A question that was asked before need not bring it.
  private(set) var misses = 0
  /// The revision that was told when something was missing last.
  private var missed: Int64 = 0
  /// The notifications that arrived before the first answer.
  private var early: [Defaults.DidChange] = []

  init() {}

  /// The revision after which the host is asked; `nil` for the whole suite.
  var revisionToAskAfter: Int64? { isVoid ? nil : revision }

  /// Applies a notification of the host.
  mutating func changed(_ change: Defaults.DidChange) -> Outcome {
    guard let revision else {
      if early.count < 64 { early.append(change) }
      return .unchanged
    }
    guard let after = change.after, let changes = change.changes else {
      isVoid = true
      return miss(change.revision)
    }
    if change.revision <= revision { return .unchanged }
    guard after <= revision else { return miss(change.revision) }
    return advance(to: change.revision, changes)
  }

  /// The host answered a question.
  ///
  /// - Parameter asked: ``misses`` when it was asked; by default nothing was missed since.
  mutating func answered(_ answer: Defaults.Follow.Result, asked: Int? = nil) -> Outcome {
    defer { applyEarly() }
    let isLate = asked.map { $0 != misses } ?? false
    // Asked before the copy was void: what follows its revision follows nothing of the suite that is there now.
    if isVoid, isLate || !answer.whole { return .behind }
    isBehind = isLate && answer.revision < missed
    if answer.whole {
      let isFirst = revision == nil
      // An answer that was overtaken by a newer one does not turn the copy back.
      if !isVoid, let revision, answer.revision < revision { return .unchanged }
      isVoid = false
      (values, keyRevisions) = ([:], [:])
      revision = answer.revision
      for change in answer.changes { take(change) }
      return isFirst ? .unchanged : .replaced
    }
    guard let revision, answer.revision > revision else { return .unchanged }
    return advance(to: answer.revision, answer.changes)
  }

  /// A write of this process was acknowledged. One that directly follows what the copy has is taken over; otherwise others
  /// have written in between, and the copy is behind until the host was asked.
  mutating func wrote(_ changes: [Defaults.Change], at written: Int64) -> Outcome {
    guard let revision else { return .unchanged }
    if written <= revision { return .unchanged }
    guard written == revision + 1 else { return miss(written) }
    return advance(to: written, changes)
  }

  /// Every key was removed by a write of this process.
  mutating func removedAll(at written: Int64) -> Outcome {
    wrote(values.keys.sorted().map { Defaults.Change(key: $0, value: nil, revision: written) }, at: written)
  }

  private mutating func miss(_ revision: Int64) -> Outcome {
    isBehind = true
    misses += 1
    missed = revision
    return .behind
  }

  private mutating func advance(to revision: Int64, _ changes: [Defaults.Change]) -> Outcome {
    let known = self.revision ?? 0
    let newer = changes.filter { $0.revision > known }
    for change in newer { take(change) }
    self.revision = revision
    return .advanced(newer.map(\.key))
  }

  private mutating func take(_ change: Defaults.Change) {
    values[change.key] = change.value
    keyRevisions[change.key] = change.value == nil ? nil : change.revision
  }

  private mutating func applyEarly() {
    let changes = early
    early = []
    for change in changes { _ = changed(change) }
  }
}
