import ExtensionHosting
import FeatureCommands
import Files
import HTML
import HostPage
import IdentityServices
import TokenBroker

/// Who is signed in, for each app whose users sign in, and for the tool itself.
struct AccountsPage: PagePart {
  let name = "accounts"
  let title = "Accounts"
  let topics = ["accounts", "extensions"]
  let host: ExtensionHost
  let service: AuthService
  let state: StateDirectory

  /// An app, and what is known of its users.
  private struct Place {
    let app: String
    let name: String
    let broker: TokenBroker
    let accounts: [Account]
  }

  /// How often the accounts are looked at.
  private static let tick = Duration.seconds(2)

  func run(_ feed: PageFeed) async {
    var before: [String: [Account]] = [:]
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.tick)
      guard feed.count > 0 else { continue }
      let now = Dictionary(await places().map { ($0.app, $0.accounts) }, uniquingKeysWith: { first, _ in first })
      if now != before { feed.touch("accounts") }
      before = now
    }
  }

  /// The apps with accounts, by name. Of one without a folder of tokens nothing is made.
  private func places() async -> [Place] {
    var places: [Place] = []
    let registry = host.registry
    let apps = registry.entries.filter { $0.isApp && registry.entry($0.identifier) == $0 }
    for (app, name) in [(AuthPlace.ownApp, "The command host")] + apps.map({ ($0.identifier, $0.displayName) }) {
      guard Folder.isFolder("\(state.path)/auth/\(app)"), let broker = try? await service.identities.broker(for: app),
        let accounts = try? await broker.accounts(), !accounts.isEmpty
      else { continue }
      places.append(Place(app: app, name: name, broker: broker, accounts: accounts))
    }
    return places
  }

  func content(_ request: PageRequest) async -> HTML {
    let places = await places()
    guard !places.isEmpty else {
      return
        "<div data-key=\"accounts\"><p class=\"nothing\">Nobody is signed in. <code>host auth sign-in</code> signs you in.</p></div>"
    }
    return "<div class=\"stack\" data-key=\"accounts\">\(places.map { section($0, request.formKey) })</div>"
  }

  private func section(_ place: Place, _ formKey: String) -> HTML {
    let rows: [HTML] = place.accounts.map { row($0, of: place, formKey) }
    return """
      <section class="panel"><h2>\(foreign: place.name, most: 60)</h2><p class="faint"><code>\(foreign: place.app)</code> at \
      <code>\(foreign: place.broker.configuration.environment)</code></p><ul class="permissions">\(rows)</ul></section>
      """
  }

  private func row(_ account: Account, of place: Place, _ formKey: String) -> HTML {
    let state: HTML =
      account.signedIn
      ? "<span class=\"tag good\">signed in</span>" : "<span class=\"tag warn\">has to sign in again</span>"
    let name: HTML? = account.name.map { "<p>\(foreign: $0, most: 120)</p>" }
    return """
      <li><div><h3>\(foreign: account.username, most: 120) \(state)</h3>\(name)</div><div class="buttons"><form method="post">\
      <input type="hidden" name="form" value="\(formKey)"><input type="hidden" name="do" value="sign-out">\
      <input type="hidden" name="app" value="\(place.app)"><input type="hidden" name="account" value="\(account.id)">\
      <button id="sign-out-\(place.app)-\(account.id)" aria-label="Sign out: \(account.username)">Sign out</button></form>\
      </div></li>
      """
  }

  /// The app and the account that a form means; `nil` for a form that asks for something else.
  static func signOut(in form: [String: String]) -> (app: String, account: String)? {
    guard form["do"] == "sign-out", let app = form["app"], let account = form["account"] else { return nil }
    return (app, account)
  }

  func act(_ request: PageRequest) async throws -> PageOutcome {
    guard let asked = Self.signOut(in: request.form) else { return .missing }
    guard let place = await places().first(where: { $0.app == asked.app }),
      let account = place.accounts.first(where: { $0.id == asked.account })
    else { return .done("This account is signed out already.") }
    let isRevoked: Bool?
    do { isRevoked = try await place.broker.signOut(account.id) } catch { throw ExtensionError(error) }
    let rest = isRevoked == false ? " The server did not confirm that the tokens are revoked." : ""
    return .done("\(account.username) is signed out.\(rest)")
  }
}
