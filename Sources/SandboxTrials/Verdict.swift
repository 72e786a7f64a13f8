/// What a trial of one attempt came to.
package enum Verdict: Sendable, Hashable {
  /// The sandbox held: the kernel's answer, for people.
  case held(how: String)
  /// The tier does not promise to stop this.
  case notPromised
  /// A promise does not hold, with what was seen.
  case broken(String)

  package var isBroken: Bool { if case .broken = self { true } else { false } }
}
