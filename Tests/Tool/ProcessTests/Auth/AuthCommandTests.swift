import JSONRPC
import Foundation
import JSON
import Testing

/// `host auth` against `host serve identity`, both processes of their own.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct `A sign-in at the command line` {
  @Test func `takes a password from a descriptor, and gives tokens for two APIs`() async throws {
    let stage = try await AuthStage()
    try await stage.signIn()
    for (path, scope) in [("api1", AuthStage.api1), ("api2", AuthStage.api2)] {
      let answer = try await stage.auth("call \(stage.url)/\(path) --scope \(scope) --json")
      #expect(answer.status == 0, "\(answer)")
      let document = try answer.json
      #expect(document["status"] == 200 && document["body"]?["api"]?.stringValue == path)
      #expect(document["body"]?["user"]?.stringValue == AuthStage.rider)
    }
    let posted = try await stage.auth(
      "call \(stage.url)/api1 --scope \(AuthStage.api1.replacing("Read", with: "Write")) --method POST --data password")
    #expect(posted.status == 0 && posted.stdout.contains("\"bytes\":\(AuthStage.password.utf8.count)"), "\(posted)")
    let accounts = try await stage.auth("accounts --json").json["accounts"]
    #expect(accounts?[0]?["username"]?.stringValue == AuthStage.rider && accounts?[0]?["signedIn"] == true)
    try await stage.endServer()
  }

  @Test func `takes a code from a descriptor when it was sent`() async throws {
    let stage = try await AuthStage()
    let output = try await stage.auth(
      "outbox \(AuthStage.coded) --wait | $0 auth sign-in \(AuthStage.coded) --code-fd 0 --json")
    #expect(output.status == 0, "\(output)")
    #expect(try output.json["account"]?["username"]?.stringValue == AuthStage.coded)
  }

  @Test func `chooses a second factor by its identifier or its channel`() async throws {
    let stage = try await AuthStage()
    for (method, target) in [("first", "first@example.com"), ("sms", "+15550100")] {
      let output = try await stage.auth(
        """
        outbox \(target) --wait | $0 auth sign-in \(AuthStage.factors) --password-fd 3 --code-fd 0 --method \(method) \
        3<password
        """)
      #expect(output.status == 0, "\(output)")
    }
    let alone = try await stage.auth("sign-in \(AuthStage.factors) --password-fd 3 3<password")
    #expect(alone.status == 64 && alone.stderr.contains("--method ID"), "\(alone)")
  }

  @Test func `makes an account with its attributes, and sets a new password`() async throws {
    let stage = try await AuthStage("--attribute", "city:[A-Z].*", "--lifetime", "poll=1")
    let new = "new@example.com"
    let missing = try await stage.auth("sign-up \(new) --password-fd 3 --code-fd 0 3<password </dev/null")
    #expect(missing.stderr.contains("--code-fd is empty"), "\(missing)")
    #expect(missing.status != 0)
    let made = try await stage.auth(
      "outbox \(new) --wait | $0 auth sign-up \(new) --password-fd 3 --code-fd 0 --attribute city=Orsk 3<password")
    #expect(made.status == 0 && made.stdout == "Signed in as \(new).\n", "\(made)")
    let again = try await stage.auth("sign-up \(new) --password-fd 3 --json 3<password")
    #expect(try again.json["details"]?["kind"] == "userAlreadyExists", "\(again)")
    try stage.host.folder.write("another", "Another-Horse-7?")
    let reset = try await stage.auth(
      "outbox \(new) --wait | $0 auth reset-password \(new) --password-fd 3 --code-fd 0 3<another")
    #expect(reset.status == 0, "\(reset)")
    #expect(try await stage.auth("sign-in \(new) --password-fd 3 3<another").status == 0)
    #expect(try await stage.auth("sign-in \(new) --password-fd 3 3<password").status == 77)
  }

  @Test func `says what was wrong, with the correlation id`() async throws {
    let stage = try await AuthStage()
    let wrong = try await stage.auth("sign-in \(AuthStage.rider) --password-fd 3 3<wrong")
    #expect(wrong.status == 77 && wrong.stdout == "")
    #expect(wrong.stderr.contains("error: The user name or the password is wrong."), "\(wrong)")
    #expect(wrong.stderr.contains("help: ") && wrong.stderr.contains("Correlation id "), "\(wrong)")
    let unknown = try await stage.auth("sign-in nobody@example.com --password-fd 3 --json 3<wrong").json
    #expect(unknown["details"]?["kind"] == "userNotFound" && unknown["details"]?["serverCode"] == 50034, "\(unknown)")
    let nobody = try await stage.auth("token --scope \(AuthStage.api1)")
    #expect(nobody.status == 77 && nobody.stderr.contains("No account is signed in"), "\(nobody)")
    let unasked = try await stage.auth("sign-in \(AuthStage.rider)")
    #expect(unasked.status == 64 && unasked.stderr.contains("--password-fd N"), "\(unasked)")
    let typed = try await stage.auth("sign-in \(AuthStage.rider) --password \(AuthStage.password)")
    #expect(typed.status == 64 && !typed.stderr.contains(AuthStage.password), "\(typed)")
  }

  @Test func `refuses scopes that no token can have`() async throws {
    let stage = try await AuthStage()
    try await stage.signIn()
    let none = try await stage.auth("token")
    #expect(none.status == 65 && none.stderr.contains("No scope is named."), "\(none)")
    let two = try await stage.auth("token --scope \(AuthStage.api1) --scope \(AuthStage.api2) --json")
    #expect(two.status == 65)
    #expect(try two.json["details"]?["kind"] == "severalResources", "\(two)")
  }

  @Test func `has a token renewed that an API refuses, once`() async throws {
    let stage = try await AuthStage("--fault", "/api1=401", "--fault", "/api2=401*2")
    try await stage.signIn()
    let answer = try await stage.auth("call \(stage.url)/api1 --scope \(AuthStage.api1)")
    #expect(answer.status == 0 && answer.stderr == "status 200\n", "\(answer)")
    let refused = try await stage.auth("call \(stage.url)/api2 --scope \(AuthStage.api2)")
    #expect(refused.status == 1 && refused.stderr == "status 401\n", "\(refused)")
    #expect(try await stage.auth("call \(stage.url)/api2 --scope \(AuthStage.api2)").status == 0)
  }

  @Test func `has a token renewed that ends soon, and keeps it when the server is down`() async throws {
    let stage = try await AuthStage("--lifetime", "access=200")
    try await stage.signIn()
    for _ in 0..<2 {
      let token = try await stage.auth("token --scope \(AuthStage.api1) --json")
      #expect(try token.json["source"] == "identityProvider", "\(token)")
    }
    try await stage.endServer()
    let kept = try await stage.auth("token --scope \(AuthStage.api1) --json")
    #expect(try kept.json["source"] == "cache", "\(kept)")
    #expect(try await stage.auth("token --scope \(AuthStage.api2)").status == 69)
  }

  @Test func `ends with the account, here and in the cache`() async throws {
    let stage = try await AuthStage()
    try await stage.signIn()
    #expect(try await stage.auth("sign-out").status == 0)
    #expect(try await stage.auth("accounts --json").json["accounts"] == [])
    #expect(try await stage.auth("sign-out --json").json["details"]?["kind"] == "noAccount")
  }

  @Test func `says that nobody listens`() async throws {
    let stage = try await AuthStage()
    try await stage.endServer()
    for line in ["sign-in \(AuthStage.rider)", "outbox"] {
      let output = try await stage.auth(line)
      #expect(output.status == 69 && output.stderr.contains("host serve identity"), "\(output)")
    }
  }
}
