import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import TokenBroker

/// `host auth`: shows the signed-in accounts, signs in and out, and gets tokens for web APIs.
enum AuthCommand: HostSubcommand {
  static let section = CommandSection.data

  static let command = Command(
    "auth", summary: "Sign in, and call web APIs with the tokens of one sign-in",
    discussion: """
      Passwords and codes are typed at the terminal, or read from a descriptor or a file, never from the command \
      line. Tokens are kept encrypted in the state folder and are printed only with --show. Without --app, \
      --authority and a configuration file, the command asks the server of “host serve identity”.
      """,
    example: "host auth sign-in rider@example.com", options: AuthPlace.options,
    subcommands: [
      signIn.alsoTried(as: "login", "log-in", "signin"),
      signUp.alsoTried(as: "register", "signup", "create"),
      resetPassword.alsoTried(as: "password", "forgot-password", "passwd"), token.alsoTried(as: "get-token", "refresh"),
      call.alsoTried(as: "request", "get", "curl", "fetch"),
      accounts.alsoTried(as: "status", "whoami", "list", "users"),
      signOut.alsoTried(as: "logout", "log-out", "signout"), outbox, passwordHash,
    ])

  private static let scopes = CommandOption.value(
    "scope", short: "s", "SCOPE", "A scope of the API; all of one call belong to one API", isRepeatable: true)
  private static let account = CommandOption.value(
    "account", "USER", "The account, where several are signed in", values: .identifier)
  private static let password = CommandOption.secret("password", "The password", environment: "ANNEX_AUTH_PASSWORD")
  private static let code = CommandOption.value(
    "code-fd", "N", "The number of a descriptor that one-time codes can be read from, a line each")
  private static let factor: [CommandOption] = [
    .value("method", "ID", "The second factor: its identifier, email or sms"),
    .value("contact", "ADDRESS", "The address to register for the codes of a second factor"),
  ]
  private static let user = CommandArgument("USER", "The user name, usually an e-mail address")

  private static let signIn = Command(
    "sign-in", summary: "Sign in, with a password or a one-time code",
    example: "host auth sign-in rider@example.com --password-fd 3 3<password.txt",
    options: [
      scopes, code, .flag("device-code", "Sign in on another device (with --kind openid)"),
      .flag("browser", "Sign in in a browser of this machine (with --kind openid)"),
      .value("redirect-port", "N", "The port that the browser comes back to, where the server knows one address only"),
      .value("redirect-path", "PATH", "The path that the browser comes back to", default: "/"),
    ] + password + factor, arguments: [CommandArgument("USER", "The user name", .optional)])
  private static let signUp = Command(
    "sign-up", summary: "Make an account, and sign in with it",
    example: "host auth sign-up rider@example.com --attribute city=Orsk",
    options: [
      scopes, code, .value("attribute", "NAME=VALUE", "An attribute that the server asks for", isRepeatable: true),
    ] + password + factor, arguments: [user])
  private static let resetPassword = Command(
    "reset-password", summary: "Set a new password with a one-time code, and sign in with it",
    example: "host auth reset-password rider@example.com", options: [scopes, code] + password + factor,
    arguments: [user])
  private static let token = Command(
    "token", summary: "Get a token for an API, and show its scopes and when it expires",
    example: "host auth token --scope api://11112222-bbbb-3333-cccc-4444dddd5555/Items.Read",
    options: [
      scopes, account, .flag("force-refresh", "Ask the server even when the cache has a token"),
      .flag("show", "Print the token itself"),
    ])
  private static let call = Command(
    "call", summary: "Call a web API with a token, and print its answer",
    discussion: "The command fails unless the status is 200 to 299. It follows no redirect.",
    example: "host auth call http://127.0.0.1:4505/api1 --scope api://11112222-bbbb-3333-cccc-4444dddd5555/Items.Read",
    options: [
      scopes, account, .value("method", "METHOD", "The method", default: "GET"),
      .value("header", short: "H", "NAME:VALUE", "A header field of the request", isRepeatable: true),
      .value("data", "FILE", "The file to send; - is standard input", values: .file),
    ], arguments: [CommandArgument("URL", "The address of the API")])
  private static let accounts = Command(
    "accounts", summary: "List the signed-in accounts", example: "host auth accounts --json")
  private static let signOut = Command(
    "sign-out", summary: "Delete an account's tokens, and ask the server to revoke them",
    example: "host auth sign-out rider@example.com",
    arguments: [CommandArgument("USER", "The account, where several are signed in", .optional)])
  private static let outbox = Command(
    "outbox", summary: "Show the one-time codes of a local identity server",
    discussion: "With USER it prints the newest code of that user; with --wait it waits for the next one.",
    example: "host auth outbox rider@example.com --wait | host auth sign-in rider@example.com --code-fd 0",
    options: [.flag("wait", "Wait for a code")],
    arguments: [CommandArgument("USER", "The user; all users when absent", .optional)])
  private static let passwordHash = Command(
    "password-hash", summary: "Print the hash of a password, for the file of “host serve identity --users”",
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
