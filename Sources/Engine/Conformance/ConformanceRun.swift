package import ExtensionHosting
import ExtensionProtocol

/// Puts one extension through the checks of its point.
package struct ConformanceRun: Sendable {
  private let context: CheckContext
  private let list: CheckList
  private let chosen: [ConformanceCheck]

  /// How many processes of the extension run at once.
  private static let width = 4

  /// - Parameters:
  ///   - target: the extension; it is started many times.
  ///   - list: the available checks.
  ///   - names: the checks to run, each by its name or by that of a ``MethodRule``; all of the extension's point when
  ///     empty.
  ///   - registry: the types and apps that the host knows.
  ///   - state: a folder for this run alone, which the caller removes.
  ///   - timeout: the time limit of every single wait. With a sound extension no wait reaches it.
  /// - Throws: `invalidParams` for a name that no check has.
  package init(
    _ target: LaunchTarget, _ list: CheckList, only names: [String] = [], registry: ExtensionRegistry,
    state: StateDirectory, timeout: Duration = .seconds(5)
  ) throws {
    self.list = list
    if let unknown = names.first(where: { name in !list.all.contains { $0.isNamed(name) } }) {
      throw ExtensionError(
        .invalidParams, "There is no check “\(unknown)”.", recovery: "Run \"host conform --list\" to see them.")
    }
    chosen = list.all.filter { check in
      check.isFor(target.identity.point) && (names.isEmpty || names.contains { check.isNamed($0) })
    }
    context = CheckContext(
      target: target, timeout: timeout,
      host: try ConformanceHost(
        for: target.identity, list, registry: registry, state: state, timeout: timeout),
      feature: list.feature(of: target.identity.point))
  }

  /// Runs the chosen checks after the checks that they require, which run even when they were not chosen.
  ///
  /// - Returns: the results of the chosen checks, in the order of ``CheckList/all``.
  package func findings() async throws -> [CheckFinding] {
    var done: [String: CheckFinding.Outcome] = [:]
    let required = required
    for check in list.all where required.contains(check.name) {
      done[check.name] = try await outcome(of: check, after: done)
    }
    let rest = chosen.filter { done[$0.name] == nil }
    let wire = Set(list.wire.map(\.name))
    let parallel = rest.filter { wire.contains($0.name) }
    for (name, outcome) in try await outcomes(of: parallel, after: done) { done[name] = outcome }
    // The others share one host and its recording; those that read the recording come last.
    let late = Set(list.conversation.map(\.name))
    let serial = rest.filter { done[$0.name] == nil }
    for check in serial.filter({ !late.contains($0.name) }) + serial.filter({ late.contains($0.name) }) {
      done[check.name] = try await outcome(of: check, after: done)
    }
    return chosen.compactMap { check in done[check.name].map { CheckFinding(check: check, outcome: $0) } }
  }

  /// The names that the chosen ones require, and those that these require.
  private var required: Set<String> {
    var names: Set<String> = []
    var rest = chosen.flatMap(\.requires)
    while let name = rest.popLast() {
      guard names.insert(name).inserted else { continue }
      rest += list.all.first { $0.name == name }?.requires ?? []
    }
    return names
  }

  private func outcomes(
    of checks: [ConformanceCheck], after done: [String: CheckFinding.Outcome]
  ) async throws -> [(String, CheckFinding.Outcome)] {
    try await withThrowingTaskGroup(of: (String, CheckFinding.Outcome).self) { group in
      var results: [(String, CheckFinding.Outcome)] = []
      for (index, check) in checks.enumerated() {
        if index >= Self.width, let next = try await group.next() { results.append(next) }
        group.addTask { (check.name, try await outcome(of: check, after: done)) }
      }
      for try await result in group { results.append(result) }
      return results
    }
  }

  /// - Throws: what says nothing of the extension: there is no sandbox, the task was cancelled.
  private func outcome(
    of check: ConformanceCheck, after done: [String: CheckFinding.Outcome]
  ) async throws -> CheckFinding.Outcome {
    for name in check.requires {
      if case .passed = done[name] { continue }
      return .skipped(why: "“\(name)” did not pass.")
    }
    do {
      return .passed(remark: try await check.run(context))
    } catch let failure as CheckFailure {
      return .failed(seen: failure.seen, lines: failure.lines)
    } catch let skipped as CheckSkipped {
      return .skipped(why: skipped.why)
    }
  }
}
