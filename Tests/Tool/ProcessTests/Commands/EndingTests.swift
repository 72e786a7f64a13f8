import CLinux
import Foundation
import Testing

/// How commands end that are not left to finish, and what they leave.
@Suite(.timeLimit(.minutes(2)))
struct `A command that is ended` {
  private func endless(_ folder: TemporaryFolder) async throws -> Program {
    let host = try HostTool(folder)
    var environment = host.environment
    environment["TMPDIR"] = "\(folder.path)/tmp"
    let program = try Program(
      "\(Build.products)/host", ["sandbox", "run", "--", "/bin/sh", "-c", "echo ready; while :; do :; done"],
      environment: environment, input: .null)
    _ = try await program.hear("ready")
    return program
  }

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("tmp/other", "stays")
    #expect(chmod(folder.path, 0o755) == 0)
    return folder
  }

  @Test func `by the end of its terminal ends as by SIGTERM, and leaves nothing`() async throws {
    let folder = try folder()
    let program = try await endless(folder)
    #expect(folder.names(in: "tmp").count == 2)
    program.signal(SIGHUP)
    #expect(try await program.finish().status == 128 + 1)
    #expect(folder.names(in: "tmp") == ["other"])
  }

  @Test func `by force leaves a folder that the next run removes`() async throws {
    let folder = try folder()
    // What looks like it and belongs to somebody who lives stays.
    try folder.write("tmp/annex-run-1-2-abcdef-other/file", "stays")
    let own = "annex-run-\(getpid())-0-abcdef"
    try folder.write("tmp/\(own)/file", "stays")
    let program = try await endless(folder)
    program.signal(SIGKILL)
    #expect(try await program.finish().status == 128 + SIGKILL)
    let left = folder.names(in: "tmp").filter { $0.hasPrefix("annex-run-\(program.pid)-") }
    #expect(left.count == 1, "\(folder.names(in: "tmp"))")
    let next = try await endless(folder)
    #expect(folder.names(in: "tmp").allSatisfy { !$0.hasPrefix("annex-run-\(program.pid)-") })
    next.signal(SIGTERM)
    _ = try await next.finish()
    #expect(folder.names(in: "tmp") == ["annex-run-1-2-abcdef-other", own, "other"].sorted())
  }

  @Test func `leaves the folder of another run alone while that runs`() async throws {
    let folder = try folder()
    let first = try await endless(folder)
    let second = try await endless(folder)
    #expect(folder.names(in: "tmp").count == 3)
    for program in [first, second] {
      program.signal(SIGTERM)
      _ = try await program.finish()
    }
    #expect(folder.names(in: "tmp") == ["other"])
  }

  @Test func `before its start for want of descriptors says so`() async throws {
    // The three streams, and one for the loader.
    let output = try await HostTool().shell("ulimit -n 4; exec \"$0\" list")
    #expect(output.status == 71, "\(output)")
    #expect(output.stderr.contains("error: There is no event loop") && output.stderr.contains("ulimit -n"), "\(output)")
  }

  @Test(arguments: ["content", "files"])
  func `takes no secret from its command line`(server: String) async throws {
    let host = try HostTool()
    let refused = try await host("serve", server, "--port", "0", "--token", "sesame")
    #expect(refused.status == 64 && !refused.stderr.contains("sesame"), "\(refused)")
    for way in ["--token-file", "--token-fd", "ANNEX_SERVE_TOKEN"] { #expect(refused.stderr.contains(way)) }
  }

  @Test(arguments: ["--token-fd 0", "--token-file -"])
  func `reads a secret of one line, and nothing else`(option: String) async throws {
    let output = try await HostTool().shell("printf 'two\\nlines' | \"$0\" serve files --port 0 \(option)")
    #expect(output.status == 66 && output.stderr.contains("one line"), "\(output)")
    let missing = try await HostTool().shell("exec \"$0\" serve files --port 0 --token-fd 9 9<&-")
    #expect(missing.status == 66 && missing.stderr.contains("is not open"), "\(missing)")
  }
}
