import JSONRPC
import ExtensionHosting
import ExtensionProtocol
import Foundation
import HostServices
import JSON
import Testing

/// What the host's own launches let an extension do: the sandbox's tests try everything, these that it is on.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `A confined extension` {
  private func say(_ body: String, prepare: (TemporaryFolder) throws -> Void = { _ in }) async throws -> String {
    let folder = try TemporaryFolder()
    try prepare(folder)
    let id = try Script.install("confined", in: folder, body)
    return try await Stage(folder).update(id).view?.text ?? "nothing"
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give an extension a user of its own"))
  func `has a user of its own`() async throws {
    let user = try #require(UInt32(try await say("show(os.getuid())")))
    #expect(user >= 1_879_048_192)
  }

  @Test func `cannot read a file of the host's user`() async throws {
    let secret = try TemporaryFolder()
    let path = try secret.write("secret", "a secret")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: secret.path)
    let said = try await say("show(attempt(lambda: open(\"\(path)\").read()))")
    #expect(["No such file or directory", "Permission denied"].contains(said), "\(said)")
  }

  @Test func `cannot read the host's state`() async throws {
    let said = try await say(
      "show(attempt(lambda: os.listdir(directories[\"scratch\"] + \"/../../store\")))")
    #expect(["No such file or directory", "Permission denied"].contains(said), "\(said)")
  }

  @Test func `has no network`() async throws {
    let said = try await say("import socket\nshow(attempt(lambda: socket.socket()))")
    #expect(["Operation not permitted", "Permission denied"].contains(said), "\(said)")
  }

  @Test func `starts no other program`() async throws {
    let said = try await say("import subprocess\nshow(attempt(lambda: subprocess.run([\"/bin/sh\", \"-c\", \"id\"])))")
    #expect(!said.contains("CompletedProcess"), "\(said)")
  }

  @Test func `sees its own environment only`() async throws {
    let said = try await say("show(sorted(set(os.environ) - {\"HOME\", \"LANG\", \"LC_CTYPE\", \"PATH\", \"TZ\"}))")
    #expect(!said.contains("XDG") && !said.contains("USER") && !said.contains("ANNEX_HOME"), "\(said)")
  }
}
