import CommandLineTool
import CommandRuntime
import JSON
import TokenBroker

/// `host auth accounts` and `sign-out`.
struct AccountList {
  private let invocation: Invocation
  private let broker: TokenBroker

  init(_ invocation: Invocation) async throws {
    self.invocation = invocation
    broker = try await AuthPlace(invocation).broker
  }

  func run() async throws -> ExitStatus {
    let accounts = try await broker.accounts()
    if invocation.wantsJSON {
      invocation.printJSON(["accounts": .array(accounts.map(Self.value))])
      return .success
    }
    guard !accounts.isEmpty else {
      invocation.console.note("No account is signed in at \(broker.configuration.environment).")
      return .success
    }
    var table = TextTable([.init("USER"), .init("NAME"), .init("SIGNED IN")])
    for account in accounts {
      table.add([
        .init(account.username), .init(account.name ?? "-"),
        .init(account.signedIn ? "yes" : "has to sign in again", account.signedIn ? .green : .yellow),
      ])
    }
    invocation.console.print(table)
    return .success
  }

  func signOut() async throws -> ExitStatus {
    let isRevoked = try await broker.signOut(invocation.parsed.argument("USER"))
    if invocation.wantsJSON {
      invocation.printJSON(["signedOut": true, "revoked": isRevoked.map { .bool($0) } ?? .null])
      return .success
    }
    invocation.console.print("Signed out.")
    if isRevoked == false { invocation.console.warn("The server did not confirm that the tokens are revoked.") }
    return .success
  }

  static func value(_ account: Account) -> JSONValue {
    var object: JSONObject = ["id": .string(account.id), "username": .string(account.username)]
    if let name = account.name { object["name"] = .string(name) }
    object["signedIn"] = .bool(account.signedIn)
    return .object(object)
  }
}
