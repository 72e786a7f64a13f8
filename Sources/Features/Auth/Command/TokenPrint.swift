import CommandLineTool
import CommandRuntime
import ConfigurationFiles
import CommandRuntime
import Glibc
import JSON
import Time
import TokenBroker

/// `host auth token`: what a token is good for, and the token itself only when that is asked for.
struct TokenPrint {
  private let invocation: Invocation
  private let broker: TokenBroker

  init(_ invocation: Invocation) async throws {
    self.invocation = invocation
    broker = try await AuthPlace(invocation).broker
  }

  func run() async throws -> ExitStatus {
    let parsed = invocation.parsed
    let token = try await broker.token(
      scopes: parsed.values("scope"), account: parsed.value("account"), forceRefresh: parsed.flag("force-refresh"))
    if invocation.wantsJSON {
      invocation.printJSON(.object(document(token)))
      return .success
    }
    let lines: [(ShownText, ShownText)] = [
      ("scopes", "\(token.scopes.target)"), ("ends in", "\(max(0, token.expiresAt - WallClock.system.seconds)) s"),
      ("from", token.source == .identityProvider ? "the server" : "the cache"),
    ]
    if token.source == .extended { invocation.console.warn("The server is down, and the token is over its time.") }
    guard parsed.flag("show") else {
      for (name, value) in lines { invocation.console.print("\(name): \(value)") }
      return .success
    }
    for (name, value) in lines { invocation.console.note("\(name): \(value)") }
    invocation.console.print(ShownText(whole: token.secret.revealed()))
    return .success
  }

  private func document(_ token: AccessToken) -> JSONObject {
    var object = JSONObject()
    if invocation.parsed.flag("show") { object["accessToken"] = .string(token.secret.revealed()) }
    object["scopes"] = .array(token.scopes.names.map { .string($0) })
    object["expiresAt"] = .integer(Int64(token.expiresAt))
    object["account"] = .string(token.account)
    object["source"] = .string(token.source.rawValue)
    return object
  }
}
