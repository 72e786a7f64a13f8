import AdventuresAPI
import AppExtensions

/// The pages of the app that are about the user's account: the form of a sign-in, and calls of two web APIs with a token
/// each.
struct AccountPages {
  let context: ExtensionContext

  /// - Parameter path: of the URL, without the slashes at its ends.
  /// - Returns: what the app shows; `nil` for a path of another page.
  func page(_ path: String) async throws -> String? {
    switch path {
    case "sign-in", "sign-up", "reset-password": return try await form(path)
    case "sign-out": return try await signOut()
    case "api/1": return try await call(1)
    case "api/2": return try await call(2)
    default: return nil
    }
  }

  private func form(_ page: String) async throws(ExtensionError) -> String {
    guard let terminal = AppTerminal.own else { return try await hostsForm() }
    do {
      return try await SignInForm(terminal: terminal, context: context).run(page)
    } catch {
      // The user sits at the form, and not where the URL was opened.
      terminal.show(error.message)
      if let recovery = error.recovery { terminal.show(recovery) }
      if let id = error.details["correlationID"]?.stringValue { terminal.show("Correlation id \(id).") }
      throw error
    }
  }

  /// The app runs in the sandbox, where nobody can type: the host asks for it, if it can.
  private func hostsForm() async throws(ExtensionError) -> String {
    let answer = try await context.requestSignIn(reason: "You open the sign-in of Adventures.")
    switch answer.state {
    case .signedIn: return "Signed in as \(answer.account?.username ?? "nobody")."
    case .cancelled: return "The sign-in was cancelled."
    case .unavailable:
      return "Email or password not set\nStart Adventures at a terminal: its form is there. Then open the URL again."
    }
  }

  private func signOut() async throws(ExtensionError) -> String {
    let accounts = try await context.accounts()
    for account in accounts { try await context.signOut(account) }
    return accounts.isEmpty ? "Nobody is signed in." : "Signed out."
  }

  /// Calls an API, as the keys `api1.url` and `api1.scopes` of the app group name it.
  private func call(_ number: Int) async throws(ExtensionError) -> String {
    let defaults = context.defaults(suiteName: Adventures.suiteName)
    let api = ProtectedAPI(
      name: "API \(number)", url: try await defaults.string(forKey: "api\(number).url") ?? "",
      scopes: try await defaults.string(forKey: "api\(number).scopes")?.split(separator: " ").map(String.init) ?? [])
    let lines = try await api.call(in: context) { () async throws(ExtensionError) in
      guard let terminal = AppTerminal.own else {
        return try await context.requestSignIn(reason: "\(api.name) is called in your name.").state == .signedIn
      }
      let shown = try await SignInForm(terminal: terminal, context: context).run("sign-in", scopes: api.scopes)
      terminal.show(shown)
      return try await context.accounts().contains(where: \.signedIn)
    }
    return lines.joined(separator: "\n")
  }
}
