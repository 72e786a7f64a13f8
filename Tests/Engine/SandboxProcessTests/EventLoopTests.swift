import Glibc
import Sandbox
import SandboxTrials
import TestSupport
import Testing

/// The event loops of interpreters use a pair of sockets, pipes, epoll and descriptors of events, and nothing that leads out.
@Suite(.timeLimit(.minutes(1)))
struct `The event loop of a script` {
  static let places = SandboxTier.allCases.flatMap { tier in Workshop.Host.available.map { (tier, $0) } }

  private func run(
    _ interpreter: String, _ arguments: [String], _ source: String, _ tier: SandboxTier, _ host: Workshop.Host
  ) throws -> TrialProcess {
    let workshop = try Workshop(host: host)
    let script = workshop.bundle + "/script"
    try workshop.write(source, to: script, mode: 0o644)
    var policy = workshop.policy(ScriptInterpreter.program(interpreter), arguments: arguments + [script])
    policy.name = interpreter
    policy.script = script
    policy.readOnlyPaths = try ScriptInterpreter.readOnlyPaths(of: interpreter)
    return try Workshop.run(try workshop.plan(policy, tier: tier), input: "one\ntwo\n")
  }

  @Test(
    .enabled(if: access("/usr/bin/python3", X_OK) == 0, "needs /usr/bin/python3"), arguments: try Cases.present(places))
  func `runs in Python`(tier: SandboxTier, host: Workshop.Host) throws {
    let source = """
      import asyncio, socket, sys

      async def main():
          loop = asyncio.get_running_loop()
          reader = asyncio.StreamReader()
          await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
          words = [(await reader.readline()).decode().strip() for _ in range(2)]
          words.append(await asyncio.to_thread(lambda: "thread"))
          await asyncio.wait_for(asyncio.sleep(0), 5)
          one, other = socket.socketpair()
          try:
              socket.send_fds(one, [b"x"], [0])
              words.append("passed")
          except PermissionError:
              words.append("refused")
          print(" ".join(words))

      asyncio.run(main())
      """
    let result = try run("/usr/bin/python3", ["-u"], source, tier, host)
    #expect(result.output == "one two thread refused\n" && result.errors == "", "\(result)")
    #expect(result.ended == .exited(code: 0))
  }

  @Test(.enabled(if: access("/usr/bin/node", X_OK) == 0, "needs /usr/bin/node"), arguments: try Cases.present(places))
  func `runs in Node, which is told to compile nothing`(tier: SandboxTier, host: Workshop.Host) throws {
    let source = """
      const lines = require("readline").createInterface({ input: process.stdin })
      const words = []
      lines.on("line", (line) => words.push(line))
      lines.on("close", async () => {
        await new Promise((resolve) => setTimeout(resolve, 1))
        await require("fs").promises.writeFile("note", "x")
        console.log([...words, (await require("fs").promises.readFile("note")).toString()].join(" "))
      })
      """
    let result = try run("/usr/bin/node", ["--jitless"], source, tier, host)
    #expect(result.output == "one two x\n", "\(result)")
    #expect(result.ended == .exited(code: 0))
  }
}
