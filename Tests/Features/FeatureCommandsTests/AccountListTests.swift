import CommandLineTool
import CommandRuntime
import ConfigurationFiles
import HTTPServer
import IdentityServer
import JSON
import TestUsers
import Testing

@testable import FeatureCommands
@testable import TokenBroker

/// `host auth accounts` and `sign-out`, at an identity server of this process.
@Suite(.timeLimit(.minutes(1)))
struct `The accounts of a command line` {
  private static let password = "Correct-Horse-7"

  /// Runs a server with two users, and a tool that is signed in to it as those that are named.
  private func run(
    as users: String...,
    body: (_ server: IdentityServer, _ call: (_ words: [String]) async throws -> String) async throws
      -> Void
  ) async throws {
    let server = try IdentityServer(
      configuration: .ofTests("ada@example.com", "bob@example.com", password: Self.password))
    let stage = try FeatureStage(AuthCommand.command)
    try await server.withRunning { address in
      func invocation(_ words: [String]) throws -> Invocation {
        try stage.invocation(
          words + ["--authority", address.url, "--kind", "openid", "--client-id", IdentityClient.native.id])
      }
      let broker = try await AuthPlace(invocation(["accounts"])).broker
      for user in users { _ = try await broker.signIn(username: user, password: .init(Self.password)) }
      try await body(server) { words in
        stage.clear()
        let invocation = try invocation(words)
        let list = try await AccountList(invocation)
        let status = try await words[0] == "accounts" ? list.run() : list.signOut()
        #expect(status == .success)
        return stage.output + stage.errors
      }
    }
  }

  @Test func `are a table, and an array of objects`() async throws {
    try await run(as: "ada@example.com", "bob@example.com") { _, call in
      let rows = try await call(["accounts"]).split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      #expect(rows.first == ["USER", "NAME", "SIGNED", "IN"])
      #expect(rows.dropFirst().map(\.first).sorted { $0 ?? "" < $1 ?? "" } == ["ada@example.com", "bob@example.com"])
      #expect(rows.dropFirst().allSatisfy { $0.last == "yes" })
      let accounts = try JSONValue(parsing: await call(["accounts", "--json"]))["accounts"]?.arrayValue ?? []
      #expect(accounts.count == 2)
      #expect(accounts.map { $0["signedIn"] } == [true, true] && Set(accounts.map { $0["id"] }).count == 2)
    }
  }

  @Test func `are signed out one by one, and a word of the server's is told`() async throws {
    try await run(as: "ada@example.com", "bob@example.com") { server, call in
      #expect(try await call(["sign-out", "ada@example.com"]) == "Signed out.\n")
      server.faults.add(.dropped, at: "revoke", count: 9)
      let answer = try await call(["sign-out", "bob@example.com"])
      #expect(answer.contains("Signed out.\n") && answer.contains("did not confirm"), "\(answer)")
    }
  }

  @Test(arguments: [true, false]) func `are signed out with what the server said of it`(isRevoked: Bool) async throws {
    try await run(as: "ada@example.com") { server, call in
      if !isRevoked { server.faults.add(.dropped, at: "revoke", count: 9) }
      let answer = try JSONValue(parsing: await call(["sign-out", "--json"]))
      #expect(answer == ["signedOut": true, "revoked": .bool(isRevoked)])
    }
  }

  @Test func `are nobody where nobody is signed in`() async throws {
    try await run { _, call in
      #expect(try await call(["accounts"]).contains("No account is signed in at 127.0.0.1"))
      let answer = try JSONValue(parsing: await call(["accounts", "--json"]))
      #expect(answer == ["accounts": []])
      let error = await #expect(throws: AuthError.self) { _ = try await call(["sign-out"]) }
      #expect(error?.kind == .noAccount)
    }
  }
}
