import ConfigurationFiles
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import HTTPServer
import HostServices
import IdentityServices
import IdentityServer
import TestUsers
import Testing
import Time
import TokenBroker

/// Scripts in the sandbox that call the protected APIs of a real identity server.
@Suite(.timeLimit(.minutes(2)), .enabled(if: Script.isAvailable))
struct `An extension in the sandbox that calls web APIs` {
  private static let first = "api://11112222-bbbb-3333-cccc-4444dddd5555/Items.Read"
  private static let second = "api://22223333-cccc-4444-dddd-5555eeee6666/Notes.Read"
  private static let password = "Correct-Horse-7"
  private static let app = "com.example.shop"

  /// Reads over what comes beside the answer, and ends with an error that says what was found.
  private static let prelude = """
    def ask(name, params):
        send({"id": 1, "method": name, "params": params})
        while True:
            message = json.loads(sys.stdin.readline())
            if message.get("id") == 1 and "method" not in message:
                return message

    def status(reply):
        return str(reply["error"]["code"] if "error" in reply else reply["result"].get("status", "token"))

    def tell(*replies):
        send({"id": request["id"], "error": {"code": -32000, "message": "found " + " ".join(map(status, replies))}})
    """

  private struct Place {
    let server: IdentityServer
    let host: ExtensionHost
    let permissions: PermissionAuthority
    let registry: ExtensionRegistry
    let folder: TemporaryFolder
    /// Sent whenever an API has answered.
    let answered: Signal

    /// What a script tells.
    func told(by id: String) async throws -> String {
      do {
        let requests = host.service(RequestService.self)
        return try await host.withExtension(id) {
          "\(try await $0.performUpdate(requests: requests, deadline: .seconds(60)))"
        }
      } catch let error as ExtensionError {
        return error.message
      }
    }
  }

  /// Runs the body with a user who is signed in to the app, and agrees to everything.
  ///
  /// - Parameters:
  ///   - expiring: whether the server's clock goes on by an hour and more as soon as an API has answered once.
  ///   - install: puts extensions there before the host looks.
  private func run(
    expiring: Bool = false, install: (_ folder: TemporaryFolder, _ url: String) throws -> Void,
    _ body: (Place) async throws -> Void
  ) async throws {
    var configuration = try IdentityServer.Configuration.ofTests("ada@example.com", password: Self.password)
    let answered = Signal()
    configuration.log = { if $0.hasPrefix("GET api1/"), $0.hasSuffix(" 200") { answered.send() } }
    configuration.now = { Int64(UnixTime.now.fractionalSeconds) + (expiring && answered.count > 0 ? 4_000 : 0) }
    let server = try IdentityServer(configuration: configuration)
    try await server.withRunning { address in
      let folder = try TemporaryFolder()
      try install(folder, address.url)
      try folder.write("Plugins/shop.py", "#!/usr/bin/python3\n", mode: 0o755)
      let manifest = Self.manifest(authority: "\(address.url)/local")
      try folder.write("manifests/shop.plist", manifest)
      // Another app, which says nothing of an identity server.
      try folder.write(
        "manifests/other.plist",
        manifest.replacing(Self.app, with: "org.example.other").replacing("<key>Identity</key>", with: "<key>X</key>"))
      let registry = ExtensionRegistry(
        RegistrySources(
          manifestFolders: [
            RegistrySources.ManifestFolder(path: "\(folder.path)/manifests", products: Build.products)
          ]))
      let state = StateDirectory(path: "\(folder.path)/home")
      let identities = IdentityBook(state: state) { app in
        registry.apps.first { $0.identifier == app }?.manifest?.identity
      }
      let permissions = PermissionAuthority(state: state)
      var services = StandardServices(
        state: state, registry: registry, permissions: permissions)
      services.configuration.controlGroups = ControlGroupPlace.use
      services.configuration.deadlines.handshake = .seconds(30)
      services.use { AuthService(in: $0, identities: identities) }
      let host = try services.makeHost()
      for entry in registry.entries where !entry.isApp {
        for asked in entry.manifest?.askedPermissions ?? [] {
          try await permissions.decide(asked, .granted, for: entry.identifier)
        }
      }
      let flow = try await identities.broker(for: Self.app).makeFlow(
        FlowStart(.signIn, username: "ada@example.com", password: Secret(Self.password)))
      guard case .completed = await flow.begin().state else {
        Issue.record("The user did not sign in.")
        return
      }
      try await body(
        Place(
          server: server, host: host, permissions: permissions, registry: registry, folder: folder, answered: answered))
    }
  }

  private static func manifest(authority: String) -> String {
    """
    <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(app)</string>
    <key>CFBundleExecutable</key><string>shop.py</string><key>CFBundlePackageType</key><string>APPL</string>
    <key>CFBundleVersion</key><string>1</string><key>CFBundleName</key><string>Shop</string>
    <key>Annex</key><dict><key>Interpreter</key><string>/usr/bin/python3</string>
    <key>Identity</key><dict><key>Authority</key><string>\(authority)</string>
    <key>ClientID</key><string>\(IdentityClient.native.id)</string>
    <key>ChallengeTypes</key><array><string>password</string><string>oob</string></array></dict></dict>
    </dict></plist>

    """
  }

  /// A widget of an app that may call both APIs, and have the token of the first.
  private static func install(
    _ name: String, of app: String = app, in folder: TemporaryFolder, scopes: [String]? = nil, _ body: String
  ) throws {
    let asked = scopes.map { [($0, "")] } ?? [([first], "<key>Token</key><true/>"), ([second], "")]
    let entries = asked.map { scopes, token in
      """
      <dict><key>Scopes</key><array>\(scopes.map { "<string>\($0)</string>" }.joined())</array>
      <key>Servers</key><array><string>127.0.0.1:*</string></array>\(token)</dict>
      """
    }
    let id = try Script.install(
      name, in: folder, annex: "<key>Auth</key><array>\(entries.joined())</array>", prelude: prelude, body)
    let manifest = try #require(folder.contents("manifests/\(name).plist"))
    try folder.write("manifests/\(name).plist", manifest.replacing("\(id)<", with: "\(app).\(name)<"))
  }

  @Test func `uses two protected APIs with two tokens from one sign-in, and has the one that it may have`() async throws
  {
    try await run { folder, url in
      try Self.install(
        "both", in: folder,
        """
        one = ask("auth/fetch", {"url": "\(url)/api1/items", "scopes": ["\(Self.first)"]})
        two = ask("auth/fetch", {"url": "\(url)/api2/notes", "scopes": ["\(Self.second)"]})
        token = ask("auth/token", {"scopes": ["\(Self.first)"]})
        other = ask("auth/token", {"scopes": ["\(Self.second)"]})
        tell(one, two, token, other)
        """)
    } _: { place in
      let told = try await place.told(by: "\(Self.app).both")
      #expect(told == "found 200 200 token -32022")
    }
  }

  /// Two extensions of one app, one of which may only read, in either order and twice: each gets what is its own.
  @Test(arguments: [["reader", "writer"], ["writer", "reader"]])
  func `may read or write as its own manifest says, whatever another of its app may`(order: [String]) async throws {
    let write = Self.first.replacing("Items.Read", with: "Items.Write")
    try await run { folder, url in
      for (name, scopes) in [("reader", [Self.first]), ("writer", [Self.first, write])] {
        let list = scopes.map { "\"\($0)\"" }.joined(separator: ", ")
        try Self.install(
          name, in: folder, scopes: scopes,
          """
          call = {"url": "\(url)/api1/items", "scopes": [\(list)]}
          tell(ask("auth/fetch", call), ask("auth/fetch", {**call, "method": "POST", "body": {"text": "x"}}))
          """)
      }
    } _: { place in
      for _ in 0..<2 {
        for name in order {
          let told = try await place.told(by: "\(Self.app).\(name)")
          #expect(told == (name == "reader" ? "found 200 403" : "found 200 200"), "\(name)")
        }
      }
    }
  }

  @Test func `does not notice that a token expired before its time`() async throws {
    try await run(expiring: true) { folder, url in
      try Self.install(
        "late", in: folder,
        """
        replies = [ask("auth/fetch", {"url": "\(url)/api1/items", "scopes": ["\(Self.first)"]})]
        replies.append(ask("auth/fetch", {"url": "\(url)/api1/items", "scopes": ["\(Self.first)"]}))
        tell(*replies)
        """)
    } _: { place in
      let told = try await place.told(by: "\(Self.app).late")
      #expect(told == "found 200 200")
      // The clock has gone on between the two.
      #expect(place.answered.count == 2)
    }
  }

  @Test func `is refused as soon as the user says so`() async throws {
    try await run { folder, url in
      try Self.install(
        "denied", in: folder,
        """
        tell(ask("auth/fetch", {"url": "\(url)/api1/items", "scopes": ["\(Self.first)"]}), ask("auth/accounts", {}))
        """)
    } _: { place in
      let id = "\(Self.app).denied"
      let before = try await place.told(by: id)
      #expect(before == "found 200 token")
      let entry = try #require(place.registry.entries.first { $0.identifier == id })
      let asked = try #require(entry.manifest?.askedPermissions.first { $0.name == "auth" })
      try await place.permissions.decide(asked, .denied, for: id)
      let told = try await place.told(by: id)
      #expect(told == "found -32022 -32022")
    }
  }

  @Test func `is refused while it runs, as soon as the user says so at the command line`() async throws {
    try await run { folder, url in
      try Self.install(
        "running", in: folder,
        """
        reply = ask("auth/fetch", {"url": "\(url)/api1/items", "scopes": ["\(Self.first)"]})
        first = reply
        while "result" in reply:
            reply = ask("auth/fetch", {"url": "\(url)/api1/items", "scopes": ["\(Self.first)"]})
        tell(first, reply, ask("auth/token", {"scopes": ["\(Self.first)"]}), ask("auth/accounts", {}))
        """)
    } _: { place in
      let id = "\(Self.app).running"
      async let told = place.told(by: id)
      try await place.answered.wait(past: 0)
      let home = try HostTool(place.folder)
      let denied = try await home("permissions", id, "deny", "auth", "--manifests", "\(home.folder.path)/manifests")
      #expect(denied.status == 0, "\(denied)")
      #expect(try await told == "found 200 -32022 -32022 -32022")
    }
  }

  @Test func `has nothing of what belongs to another app`() async throws {
    try await run { folder, url in
      try Self.install(
        "thief", of: "org.example.other", in: folder,
        """
        account = {"account": "ada@example.com"}
        tell(
            ask("auth/token", {"scopes": ["\(Self.first)"], **account}),
            ask("auth/fetch", {"url": "\(url)/api1/items", "scopes": ["\(Self.first)"], **account}),
            ask("auth/signOut", account))
        """)
    } _: { place in
      let told = try await place.told(by: "org.example.other.thief")
      #expect(told == "found -32033 -32033 -32024")
    }
  }
}
