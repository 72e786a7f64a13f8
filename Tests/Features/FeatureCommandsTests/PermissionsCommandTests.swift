import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import JSON
import TestSupport
import Testing

@testable import LightCommands

/// What `host permissions` shows, decides and forgets.
@Suite(.timeLimit(.minutes(1)))
struct `The permissions of a tool` {
  private static let id = "org.example.one"
  private let stage: FeatureStage

  init() throws { stage = try FeatureStage(PermissionsCommand.command) }

  /// Writes the manifest of an extension that asks for requests to some hosts, and to generate code.
  private func install(_ name: String = id, hosts: String...) throws {
    let network = hosts.map { "<string>\($0)</string>" }.joined()
    let text = """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(name)</string>
      <key>CFBundlePackageType</key><string>XPC!</string><key>CFBundleExecutable</key><string>none</string>
      <key>CFBundleVersion</key><string>1</string><key>NSExtension</key><dict>
      <key>NSExtensionPointIdentifier</key><string>com.apple.widget-extension</string></dict>
      <key>Annex</key><dict><key>Network</key><array>\(network)</array>
      <key>Entitlements</key><array><string>jit</string></array></dict></dict></plist>
      """
    _ = try stage.folder.write(text, to: "\(name).plist")
  }

  /// Runs the command, and returns the permissions that it shows.
  private func run(_ words: String...) async throws -> JSONValue {
    stage.clear()
    let status = try await PermissionsCommand.run(try stage.invocation(words + ["--json"]))
    #expect(status == .success)
    return stage.output.isEmpty ? .null : try JSONValue(parsing: stage.output)
  }

  private func states(_ shown: JSONValue) -> [String] {
    (shown.arrayValue ?? []).map { "\($0["permission"]?.stringValue ?? "-") \($0["state"]?.stringValue ?? "-")" }
  }

  private func decided(_ id: String) throws -> [String] {
    PermissionAuthority(state: try stage.invocation().state()).decided(for: id)
  }

  @Test func `are shown as they are decided, whichever of two words comes first`() async throws {
    try install(hosts: "a.example", "b.example")
    let shown = try await run(Self.id)
    #expect(states(shown) == ["network undecided", "jit undecided"])
    #expect(shown.arrayValue?.compactMap { $0["id"]?.stringValue } == [Self.id, Self.id])
    let scopes: [JSONValue] = [["a.example", "b.example"], []]
    #expect(shown.arrayValue?.compactMap { $0["scope"] } == scopes)
    let allows = [PermissionKind.network, .generatedCode].map { JSONValue.string($0.allows) }
    #expect(shown.arrayValue?.compactMap { $0["allows"] } == allows)
    #expect(try await states(run(Self.id, "grant", "network")) == ["network granted", "jit undecided"])
    #expect(try await states(run("deny", Self.id, "jit")) == ["network granted", "jit denied"])
    #expect(try await states(run("reset", Self.id, "network")) == ["network undecided", "jit denied"])
    #expect(try await states(run(Self.id, "deny", "network")) == ["network denied", "jit denied"])
    #expect(try await states(run(Self.id, "reset")) == ["network undecided", "jit undecided"])
    #expect(try decided(Self.id) == [])
    // Where nothing is decided there is nothing to forget.
    #expect(try await states(run(Self.id, "reset", "jit")) == ["network undecided", "jit undecided"])
  }

  @Test func `are undecided anew for what else a manifest asks for, until that is granted too`() async throws {
    try install(hosts: "a.example", "b.example")
    #expect(try await states(run(Self.id, "grant", "network")).first == "network granted")
    try install(hosts: "b.example")
    #expect(try await states(run(Self.id)).first == "network granted")
    try install(hosts: "a.example", "c.example")
    #expect(try await states(run(Self.id)).first == "network undecided")
    #expect(try await states(run(Self.id, "grant", "network")).first == "network granted")
    // What was granted last counts.
    try install(hosts: "a.example", "b.example")
    #expect(try await states(run(Self.id)).first == "network undecided")
    try install("org.example.two", hosts: "d.example")
    let all = try await run().arrayValue?.compactMap { $0["id"]?.stringValue }
    #expect(all == [Self.id, Self.id, "org.example.two", "org.example.two"])
  }

  @Test(
    arguments: [
      (["grant"], "“host permissions grant” needs the identifier of an extension."),
      ([id, "gran"], "“gran” is not a value for ACTION. Did you mean grant?"),
      ([id, "x"], "“x” is not a value for ACTION. It takes one of: grant, deny, reset."),
      ([id, "deny"], "“host permissions org.example.one deny” needs the name of a permission."),
      ([id, "grant", "networ"], "There is no permission “networ”. Did you mean network?"),
      ([id, "reset", "networ"], "There is no permission “networ”. Did you mean network?"),
      ([id, "grant", "auth"], "org.example.one does not ask for the permission “auth”."),
      ([id, "reset", "auth"], "org.example.one does not ask for the permission “auth”."),
      (["org.example.none", "grant", "network"], "No extension is called “org.example.none”."),
      (["org.example.none", "reset", "network"], "No extension is called “org.example.none”."),
      (["org.example.none"], "No extension is called “org.example.none”."),
    ] as [([String], String)])
  func `are decided by no word that is none, and for nobody who does not ask`(
    words: [String], message: String
  ) async throws {
    try install(hosts: "a.example")
    let invocation = try stage.invocation(words)
    let error = await #expect(throws: (any Error).self) { try await PermissionsCommand.run(invocation) }
    let said = (error as? CommandLineError)?.description ?? (error as? ExtensionError)?.message
    #expect(said?.hasPrefix(message) == true, "\(said ?? "")")
    #expect(try decided(Self.id) == [] && stage.output == "")
  }

  @Test func `that were decided for an extension that is gone can be forgotten, each and all`() async throws {
    let gone = "org.example.gone"
    let authority = PermissionAuthority(state: try stage.invocation().state())
    for name in ["auth", "jit", "network"] { try await authority.decide(AskedPermission(name), .denied, for: gone) }
    try await authority.decide(AskedPermission("jit"), .denied, for: "org.example.other")
    #expect(try await run(gone, "reset", "jit") == .null)
    #expect(try decided(gone) == ["auth", "network"])
    #expect(try await run("reset", gone) == .null)
    #expect(try decided(gone) == [] && decided("org.example.other") == ["jit"])
  }
}
