import BundleInstalling
import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol

/// Signed bundles in the tool.
struct StoredBundles: SignedBundles {
  func seal(of bundle: String, _ invocation: Invocation) async throws -> SealReport {
    let found = try await BundleStore(state: try invocation.state()).judge(bundle)
    return SealReport(
      state: found.state.rawValue, sentence: found.sentence,
      team: found.team.map { ($0.name, $0.team) }, changes: found.changes, refusal: found.refusal)
  }

  func add(_ bundle: String, _ invocation: Invocation) async throws -> (path: String, problems: [ManifestProblem]) {
    let store = BundleStore(state: try invocation.state(), points: try invocation.points())
    let added = try await store.add(bundle) { try await BundleConsent.agrees(to: $0, invocation) }
    if let before = added.replaced, before != added.version {
      invocation.console.note("\(added.identifier) \(before) is replaced by \(added.version).")
    }
    return (added.path, added.problems)
  }

  func release(_ identifier: String, _ invocation: Invocation) async throws {
    let store = BundleStore(state: try invocation.state())
    try await store.release(identifier) { try await BundleConsent.agrees(to: $0, invocation) }
  }
}

extension BundleConsent {
  /// Asks a question of the store.
  static func agrees(to question: BundleQuestion, _ invocation: Invocation) async throws -> Bool {
    let option = if case .otherTeam = question { "other-team" } else { "approve" }
    return try await agrees(question.sentence, option: option, invocation)
  }
}
