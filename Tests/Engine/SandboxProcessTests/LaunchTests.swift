import Sandbox
import SandboxTrials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A launch` {
  static let places = SandboxTier.allCases.flatMap { tier in Workshop.Host.available.map { (tier, $0) } }

  @Test(arguments: try Cases.present(places))
  func `runs a dynamically linked Swift program`(tier: SandboxTier, host: Workshop.Host) throws {
    let workshop = try Workshop(host: host)
    var policy = workshop.policy(try workshop.install("Greeter"), arguments: ["one", "--bind"])
    policy.readOnlyPaths = try ProgramLibraries.readOnlyPaths(of: policy.executable)
    let result = try Workshop.run(try workshop.plan(policy, tier: tier), input: "hello\n")
    let answer = #"{"line":"hello","sum":2080,"arguments":"one,--bind","user":\#(host.extensionUser)}"#
    #expect(result.output == answer + "\n")
    #expect(result.errors == "")
    #expect(result.statuses == [.executed, .ended(.exited(code: 0))])
  }

  @Test(arguments: try Cases.present(places))
  func `runs a statically linked Swift program`(tier: SandboxTier, host: Workshop.Host) throws {
    let workshop = try Workshop(host: host)
    let policy = workshop.policy(try workshop.install("StaticGreeter"))
    let result = try Workshop.run(try workshop.plan(policy, tier: tier), input: "hello\n")
    #expect(result.output == #"{"line":"hello","sum":2080,"arguments":"","user":\#(host.extensionUser)}"# + "\n")
    #expect(result.errors == "")
    #expect(result.statuses == [.executed, .ended(.exited(code: 0))])
  }
}
