/// Decides which tasks may enter when only so many may be inside, in total and of each kind. Tasks of one kind enter in
/// the order of their arrival and the kinds take turns, so that many tasks of one kind do not delay another kind. Pure.
struct FairLineStateMachine: Sendable {
  /// How many may be inside, and how many may wait.
  struct Limits: Sendable, Equatable {
    var inside: Int
    var insideOfEach: Int
    var waiting: Int
  }

  enum Entry: Sendable, Equatable {
    case enters
    case waits
    /// Too many wait already.
    case refused
  }

  private let limits: Limits
  private(set) var inside = 0
  private(set) var waiting = 0
  private var insideByKind: [String: Int] = [:]
  private var lines: [String: ArraySlice<UInt64>] = [:]
  /// The kinds with waiting tasks, the next one first.
  private var turns: ArraySlice<String> = []
  /// The tasks that gave up and are still in a line.
  private var gone: Set<UInt64> = []

  init(_ limits: Limits) { self.limits = limits }

  /// Handles the arrival of a task.
  mutating func come(_ number: UInt64, _ kind: String) -> Entry {
    if mayEnter(kind), lines[kind] == nil {
      enter(kind)
      return .enters
    }
    guard waiting < limits.waiting else { return .refused }
    waiting += 1
    if lines[kind] == nil { turns.append(kind) }
    lines[kind, default: []].append(number)
    return .waits
  }

  /// Handles the departure of a task.
  ///
  /// - Returns: the tasks that enter now.
  mutating func leave(_ kind: String) -> [UInt64] {
    inside -= 1
    let count = (insideByKind[kind] ?? 1) - 1
    insideByKind[kind] = count > 0 ? count : nil
    var entering: [UInt64] = []
    while inside < limits.inside, let next = next() { entering.append(next) }
    return entering
  }

  /// Handles a waiting task that gives up.
  mutating func giveUp(_ number: UInt64) {
    waiting -= 1
    gone.insert(number)
    // Without this, tasks that arrive and give up while no task leaves would make the lines ever longer.
    if gone.count > waiting + 64 { tidy() }
  }

  /// Removes all waiting tasks.
  mutating func dismissAll() {
    waiting = 0
    lines = [:]
    turns = []
    gone = []
  }

  /// The number of tasks in the lines, including those that gave up.
  var remembered: Int { lines.values.reduce(gone.count) { $0 + $1.count } }

  private func mayEnter(_ kind: String) -> Bool {
    inside < limits.inside && insideByKind[kind] ?? 0 < limits.insideOfEach
  }

  private mutating func enter(_ kind: String) {
    inside += 1
    insideByKind[kind, default: 0] += 1
  }

  /// Returns the next task of the kind whose turn it is, among the kinds that may enter.
  private mutating func next() -> UInt64? {
    for _ in 0..<turns.count {
      guard let kind = turns.popFirst() else { return nil }
      guard mayEnter(kind) else {
        turns.append(kind)
        continue
      }
      while let number = lines[kind]?.popFirst() {
        if gone.remove(number) != nil { continue }
        if lines[kind]?.isEmpty == true { lines[kind] = nil } else { turns.append(kind) }
        waiting -= 1
        enter(kind)
        return number
      }
      lines[kind] = nil
    }
    return nil
  }

  private mutating func tidy() {
    for (kind, line) in lines {
      let rest = line.filter { !gone.contains($0) }
      lines[kind] = rest.isEmpty ? nil : rest[...]
    }
    turns = turns.filter { lines[$0] != nil }[...]
    gone = []
  }
}
