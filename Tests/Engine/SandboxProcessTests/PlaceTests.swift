import Glibc
import Sandbox
import SandboxTrials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A program` {
  static let places = SandboxTier.allCases.flatMap { tier in Workshop.Host.available.map { (tier, $0) } }

  @Test(
    .enabled(if: access("/usr/bin/python3", X_OK) == 0, "needs /usr/bin/python3"), arguments: try Cases.present(places))
  func `may be a script whose interpreter is granted`(tier: SandboxTier, host: Workshop.Host) throws {
    let workshop = try Workshop(host: host)
    let script = workshop.bundle + "/script"
    let source = """
      #!/usr/bin/python3
      import json, os, sys
      print(json.dumps({"sum": sum(range(65)), "arguments": sys.argv[1:], "home": os.environ["HOME"]}))
      open("note", "w").write("x")
      """
    try workshop.write(source, to: script, mode: 0o755)
    var policy = workshop.policy(script, arguments: ["a b"])
    policy.readOnlyPaths = try ScriptInterpreter.readOnlyPaths(of: try #require(ScriptInterpreter.path(of: script)))
    let result = try Workshop.run(try workshop.plan(policy, tier: tier))
    #expect(result.output == #"{"sum": 2080, "arguments": ["a b"], "home": "\#(workshop.scratch)"}"# + "\n")
    #expect(result.errors == "")
    #expect(result.ended == .exited(code: 0))
    #expect(access(workshop.scratch + "/note", F_OK) == 0)
  }

  @Test(arguments: try Cases.present(places))
  func `may be a single file`(tier: SandboxTier, host: Workshop.Host) throws {
    let workshop = try Workshop(host: host)
    var policy = workshop.policy(try workshop.install("StaticGreeter"))
    policy.bundle = nil
    try workshop.write("secret", to: workshop.bundle + "/neighbour", mode: 0o644)
    let result = try Workshop.run(try workshop.plan(policy, tier: tier), input: "one\ntwo\n")
    #expect(result.output.split(separator: "\n").count == 2)
    #expect(result.ended == .exited(code: 0))
  }

  @Test(.enabled(if: geteuid() == 0, "needs root"), arguments: [SandboxTier.full, .sharedPID, .namespacesOnly])
  func `of a root host may lie where only root can look`(tier: SandboxTier) throws {
    let workshop = try Workshop(host: .root)
    #expect(chmod(workshop.root, 0o700) == 0)
    let policy = workshop.policy(
      try workshop.install("sandbox-attempts"), arguments: ["files/use-container", workshop.scratch])
    let result = try Workshop.run(try workshop.plan(policy, tier: tier))
    #expect(result.ended == .exited(code: 0), "\(result)")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root"))
  func `of a root host that its user cannot reach is refused without an own root`() throws {
    let workshop = try Workshop(host: .root)
    #expect(chmod(workshop.root, 0o700) == 0)
    let policy = workshop.policy(
      try workshop.install("sandbox-attempts"), arguments: ["files/use-container", workshop.scratch])
    let result = try Workshop.run(try workshop.plan(policy, tier: .light))
    let failure = LaunchFailure(stage: .workingDirectory, errorNumber: EACCES)
    #expect(result.statuses == [.launchFailed(failure)])
    #expect(SandboxError.launchFailed(failure).recovery.contains("ANNEX_HOME"))
  }

  @Test(arguments: try Cases.present(places))
  func `shares a container that it may write`(tier: SandboxTier, host: Workshop.Host) throws {
    let workshop = try Workshop(host: host)
    let group = workshop.root + "/group"
    try workshop.makeDirectory(group, mode: 0o700)
    try workshop.give(group)
    var policy = workshop.policy(try workshop.install("sandbox-attempts"), arguments: ["files/use-container", group])
    policy.containers = [SandboxPolicy.Container(path: group, access: .readWrite)]
    let result = try Workshop.run(try workshop.plan(policy, tier: tier))
    // Moving between two mounted directories fails in an own root (EXDEV); writing and reading do not.
    #expect(result.output.contains("found wrote \(group)/note") && result.output.contains("found read \(group)/note"))
  }

  @Test(arguments: ["--bind", "-x", "with space", "new\nline", "; rm -rf", "$HOME", "ünï"], SandboxTier.allCases)
  func `may have any name and arguments`(name: String, tier: SandboxTier) throws {
    let workshop = try Workshop()
    let directory = workshop.bundle + "/" + name
    try workshop.makeDirectory(directory, mode: 0o755)
    let program = directory + "/" + name
    #expect(link(try workshop.install("StaticGreeter"), program) == 0)
    let result = try Workshop.run(
      try workshop.plan(workshop.policy(program, arguments: [name]), tier: tier), input: "x\n")
    #expect(result.output.contains(#""arguments":"\#(name)""#))
    #expect(result.ended == .exited(code: 0))
  }
}
