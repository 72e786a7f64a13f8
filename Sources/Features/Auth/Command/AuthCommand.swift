import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import TokenBroker

/// `host auth`: who is signed in, and tokens for web APIs.
enum AuthCommand: HostSubcommand {
  static let section = CommandSection.data

  static let command = Command(
    "auth", summary: "Sign in, and call web APIs with the tokens of one sign-in",
    discussion: """
      Passwords and codes are asked for at the terminal, or read from a descriptor or a file; never from the command line. \
      No token is shown without --show. The tokens lie encrypted in the state folder. Without --app, \
      --authority and a configuration file, the server of “host serve identity” is asked.
      """,
    example: "host auth sign-in rider@example.com", options: AuthPlace.options,
    subcommands: [signIn, signUp, resetPassword, token, call, accounts, signOut, outbox, passwordHash])

  private static let scopes = CommandOption.value(
    "scope", short: "s", "SCOPE", "A scope of the API; all of one call belong to one API", isRepeatable: true)
  private static let account = CommandOption.value(
    "account", "USER", "The account, where several are signed in", values: .identifier)
  private static let password = CommandOption.secret("password", "The password", environment: "ANNEX_AUTH_PASSWORD")
  private static let code = CommandOption.value(
    "code-fd", "N", "The number of a descriptor that one-time codes can be read from, a line each")
  private static let factor: [CommandOption] = [
    .value("method", "ID", "The second factor, by its identifier or as email or sms"),
    .value("contact", "ADDRESS", "Where the codes of a second factor go that is registered now"),
  ]
  private static let user = CommandArgument("USER", "The user name, mostly an address of mail")

  private static let signIn = Command(
    "sign-in", summary: "Sign in, with a password or a one-time code",
    example: "host auth sign-in rider@example.com --password-fd 3 3<password.txt",
    options: [
      scopes, code, .flag("device-code", "Sign in on another device (with --kind openid)"),
      .flag("browser", "Sign in in a browser of this machine (with --kind openid)"),
    ] + password + factor, arguments: [CommandArgument("USER", "The user name", .optional)])
  private static let signUp = Command(
    "sign-up", summary: "Make an account, and sign in with it",
    example: "host auth sign-up rider@example.com --attribute city=Orsk",
    options: [
      scopes, code, .value("attribute", "NAME=VALUE", "Something that the server wants to know", isRepeatable: true),
    ] + password + factor, arguments: [user])
  private static let resetPassword = Command(
    "reset-password", summary: "Set a new password with a one-time code, and sign in with it",
    example: "host auth reset-password rider@example.com", options: [scopes, code] + password + factor,
    arguments: [user])
  private static let token = Command(
    "token", summary: "Get a token for an API, and show what it is good for",
    example: "host auth token --scope api://11112222-bbbb-3333-cccc-4444dddd5555/Items.Read",
    options: [
      scopes, account, .flag("force-refresh", "Ask the server, whatever the cache holds"),
      .flag("show", "Print the token itself"),
    ])
  private static let call = Command(
    "call", summary: "Call a web API with a token, and print its answer",
    discussion: "Fails when the status is not one of 200 to 299. No redirect is followed.",
    example: "host auth call http://127.0.0.1:4505/api1 --scope api://11112222-bbbb-3333-cccc-4444dddd5555/Items.Read",
    options: [
      scopes, account, .value("method", "METHOD", "The method", default: "GET"),
      .value("header", short: "H", "NAME:VALUE", "A header field of the request", isRepeatable: true),
      .value("data", "FILE", "What to send; - is standard input", values: .file),
    ], arguments: [CommandArgument("URL", "The address of the API")])
  private static let accounts = Command(
    "accounts", summary: "List who is signed in", example: "host auth accounts --json")
  private static let signOut = Command(
    "sign-out", summary: "Delete everything of an account, and have the server revoke its tokens",
    example: "host auth sign-out rider@example.com",
    arguments: [CommandArgument("USER", "The account, where several are signed in", .optional)])
  private static let outbox = Command(
    "outbox", summary: "Show the one-time codes of a local identity server",
    discussion: "With USER the newest code for that user alone; with --wait one that is sent from now on.",
    example: "host auth outbox rider@example.com --wait | host auth sign-in rider@example.com --code-fd 0",
    options: [.flag("wait", "Wait for a code")],
    arguments: [CommandArgument("USER", "Whose codes; all of them when absent", .optional)])
  private static let passwordHash = Command(
    "password-hash", summary: "Print what the file of “host serve identity --users” keeps of a password",
    example: "host auth password-hash --password-fd 0 <password.txt", options: password)

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    guard invocation.namesSubcommand() else { return .usage }
    do {
      switch invocation.parsed.path[1] {
      case "sign-in", "sign-up", "reset-password": return try await SignIn(invocation).run()
      case "token": return try await TokenPrint(invocation).run()
      case "call": return try await ProtectedCall(invocation).run()
      case "outbox": return try await OutboxListing(invocation).run()
      case "password-hash": return try await SignIn.printHash(invocation)
      case "sign-out": return try await AccountList(invocation).signOut()
      default: return try await AccountList(invocation).run()
      }
    } catch let error as AuthError {
      if error.kind == .cancelled, Task.isCancelled { throw CancellationError() }
      throw Failure(error, isLocal: (try? AuthPlace.isLocal(invocation)) ?? false)
    }
  }
}
