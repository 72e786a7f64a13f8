import Glibc
import Sandbox
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A hostile extension` {
  static let places = SandboxTier.allCases.flatMap { tier in Workshop.Host.available.map { (tier, $0) } }

  @Test(arguments: Attempt.all, places)
  func `is stopped`(attempt: Attempt, place: (tier: SandboxTier, host: Workshop.Host)) throws {
    guard attempt.tiers.contains(place.tier) else { return }
    let baits = try Baits(host: place.host)
    let result = try baits.run(attempt, tier: place.tier)
    #expect(result.ended == attempt.end, "\(result)")
    if attempt.end == .exited(code: 0) {
      #expect(result.output.split(separator: "\n").last?.hasPrefix("denied") == true, "\(result)")
    }
    #expect(!result.output.contains("found a "), "\(result)")
    try baits.expectUntouched()
  }

  /// The attempts are real: without a sandbox they succeed. Only such as touch nothing but the baits of this test, and
  /// only as an ordinary user.
  @Test(arguments: [
    "files/secrets", "files/attributes", "files/sizes", "processes/see", "network/tcp", "network/families",
    "execution/code", "inheritance/environment",
  ])
  func `would escape without a sandbox`(name: String) throws {
    let baits = try Baits(host: .user)
    let attempt = try #require(Attempt.all.first { $0.name == name })
    let command = baits.workshop.asUser + [baits.executable, name] + attempt.arguments(baits)
    let result = try Workshop.run(
      LaunchPlan.unsafeNoSandbox(
        executable: command[0], arguments: Array(command.dropFirst()), environment: ["SECRET": "1"]))
    #expect(result.exit == .exited(code: 1), "\(result)")
  }
}
