import ExtensionHosting
import HostServices
import JSON
import JSONRPC
import JSONSchema
import TestSupport
import Testing

/// A point of a host app's own, as a module that both sides import has it.
private enum Renderer: PointContract {
  static let definition = ExtensionPointDefinition(
    ExtensionPoint("org.example.site.renderer"), version: PointVersion(1, 2), shortName: "renderer",
    role: "a renderer", plural: "the renderers",
    calls: [
      .request(Render.self, transfers: [.streamOut("html")]), .notification(ThemeDidChange.self),
      .request(Preview.self, since: PointVersion(1, 1), isOptional: true),
    ],
    services: [Pages.self, Defaults.self], permissions: ["network"], limits: ExtensionLimits(memoryMiB: 64),
    reuse: .reuse,
    manifest: ManifestRules(keys: [ManifestKey("FileExtensions", .strings).required(), ManifestKey("Draft", .bool)]))

  struct Render: RemoteMethod {
    static let method = "renderer/render"
    static let deadline = RequestDeadline(hard: .seconds(3))
    struct Result: Codable, Sendable { var html: String }
    var page: Page
    @NonNegative<Int?> var width: Int?
  }
  struct Page: Codable, Sendable {
    var title: String
    var text: String
  }
  struct Preview: RemoteMethod {
    static let method = "renderer/preview"
    typealias Result = Empty
    var page: Page
  }
  struct ThemeDidChange: RemoteNotification {
    static let method = "renderer/themeDidChange"
    var name: String
  }
  enum Pages: ServiceContract {
    static let name = "renderer"
    static let methods: [any RemoteMethod.Type] = [Find.self]
    struct Find: RemoteMethod {
      static let method = "renderer/find"
      struct Result: Codable, Sendable { var title: String? }
      var name: String
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `An announced extension point` {
  private func read(_ text: String, named name: String = "a", in folder: TemporaryDirectory) throws -> AnnouncedPoints {
    AnnouncedPoints(file: try folder.write(text, to: "\(name).appextensionpoint"), beside: Features.known)
  }

  /// The smallest file, with something of its own in the dictionary.
  private func file(_ keys: String = "", identifier: String = "org.example.dots", name: String = "dots") -> String {
    """
    <plist version="1.0"><dict>
    <key>\(identifier)</key><dict><key>Annex</key><dict>
    <key>Name</key><string>\(name)</string>
    \(keys)
    </dict></dict></dict></plist>
    """
  }

  @Test func `is read as it was written`() throws {
    let folder = try TemporaryDirectory()
    let written = try AnnouncedPoint(Renderer.self)
    let found = try read(written.propertyListText(), in: folder)
    #expect(found.problems == [])
    let point = try #require(found.points.first)
    #expect(point.definition.point == Renderer.point && point.definition.shortName == "renderer")
    #expect(point.definition.version == PointVersion(1, 2) && point.definition.reuse == .reuse)
    #expect(point.definition.limits == ExtensionLimits(memoryMiB: 64))
    #expect(point.definition.services?.map { $0.name } == ["defaults"])
    #expect(point.definition.permissions == ["network"])
    #expect(point.definition.manifest.keys.map(\.name) == ["FileExtensions", "Draft"])
    #expect(point.definition.manifest.keys.map(\.isRequired) == [true, false])
    #expect(
      point.schemas.methods.map(\.method) == [
        "renderer/find", "renderer/preview", "renderer/render", "renderer/themeDidChange",
      ])
    let render = try #require(point.schemas["renderer/render"])
    #expect(render.transfers == [.streamOut("html")] && render.deadline == RequestDeadline(hard: .seconds(3)))
    #expect(point.schemas["renderer/preview"]?.isOptional == true)
    #expect(point.schemas["renderer/preview"]?.since == PointVersion(1, 1))
    #expect(point.schemas["renderer/find"]?.caller == .extension)
    #expect(point.definition.calls.map(\.method).sorted() == written.definition.calls.map(\.method).sorted())
    #expect(
      point.schemas.problems(ofParams: ["page": ["title": 1], "width": -1], of: "renderer/render").map(\.description)
        == [
          "params.page.text: The member is missing.", "params.page.title: The value is a number, not a string.",
          "params.width: -1 is below 0.",
        ])
    #expect(point.schemas.problems(ofParams: ["page": ["title": "a", "text": "b"]], of: "renderer/render") == [])
  }

  @Test(arguments: try Cases.present(Features.points.definitions.map(\.point.rawValue)))
  func `of this package is written, and its file agrees with the compiled definition`(identifier: String) throws {
    let folder = try TemporaryDirectory()
    let definition = Features.points.definition(of: ExtensionPoint(identifier))
    let text = try AnnouncedPoint(compiled: definition, contracts: Features.contracts).propertyListText()
    let found = try read(text, in: folder)
    #expect(found.problems == [])
    #expect(found.points.isEmpty, "The compiled definition counts.")
  }

  @Test func `is told when it is not as the compiled one`() throws {
    let folder = try TemporaryDirectory()
    let definition = Features.points.definition(of: .today)
    let text = try AnnouncedPoint(compiled: definition, contracts: Features.contracts).propertyListText()
    let found = try read(
      text.replacing("widget/viewWillAppear", with: "widget/viewWillGo").replacing("newData", with: "oldData"),
      in: folder)
    #expect(found.points.isEmpty)
    #expect(found.problems.allSatisfy { $0.severity == .warning && $0.line != nil && $0.file?.isEmpty == false })
    let paths = found.problems.map(\.keyPath)
    #expect(paths.contains { $0.hasSuffix("Definitions[\"UpdateResult.Outcome\"]") }, "\(paths)")
    #expect(paths.contains { $0.hasSuffix("Methods.widget/viewWillGo") }, "\(paths)")
  }

  @Test func `gets no more than other points`() throws {
    let folder = try TemporaryDirectory()
    let found = try read(
      file(
        """
        <key>Profile</key><dict><key>MemoryMiB</key><integer>100000</integer>
        <key>Threads</key><integer>100000</integer><key>CPUSeconds</key><integer>100000</integer></dict>
        <key>Methods</key><dict><key>dots/draw</key><dict><key>DeadlineMs</key><integer>90000000</integer></dict></dict>
        """), in: folder)
    let point = try #require(found.points.first)
    #expect(point.definition.limits == ExtensionLimits(memoryMiB: 256))
    #expect(point.schemas["dots/draw"]?.deadline.hard == .seconds(600))
    #expect(found.problems.map(\.severity) == [.warning, .warning, .warning])
    #expect(found.problems.map(\.keyPath).contains("[\"org.example.dots\"].Annex.Profile.MemoryMiB"))
  }

  /// A file that is refused: what is in it, and what is said of it.
  struct Refusal: Sendable, CustomTestStringConvertible {
    var keys = ""
    var identifier = "org.example.dots"
    var name = "dots"
    var path: String
    var message: String
    var testDescription: String { "\(path) \(message)" }

    static let all = [
      Refusal(identifier: "com.apple.other", path: "[\"com.apple.other\"]", message: "belongs to Apple"),
      Refusal(identifier: "dots", path: "dots", message: "not the identifier"),
      Refusal(name: "today", path: ".Name", message: "has itself"),
      Refusal(name: "widget", path: ".Name", message: "has itself"),
      Refusal(name: "defaults", path: ".Name", message: "has itself"),
      Refusal(name: "Two Dots", path: ".Name", message: "not one word"),
      Refusal(keys: "<key>Prefix</key><string>context</string>", path: ".Prefix", message: "has itself"),
      Refusal(keys: "<key>Version</key><string>1</string>", path: ".Version", message: "not a version"),
      Refusal(
        keys: "<key>Methods</key><dict><key>widget/performUpdate</key><dict/></dict>",
        path: ".Methods.widget/performUpdate", message: "outside of the prefix"),
      Refusal(
        keys: """
          <key>Methods</key><dict><key>dots/draw</key><dict><key>Params</key><dict>
          <key>pattern</key><string>a</string></dict></dict></dict>
          """, path: ".Methods.dots/draw.Params", message: "keyword “pattern”"),
      Refusal(
        keys: """
          <key>Methods</key><dict><key>dots/draw</key><dict><key>Params</key><dict>
          <key>$ref</key><string>#/$defs/None</string></dict></dict></dict>
          """, path: ".Methods.dots/draw.Params", message: "no definition of “None”"),
      Refusal(
        keys: """
          <key>Methods</key><dict><key>dots/draw</key><dict><key>Since</key><string>2.0</string></dict></dict>
          """, path: ".Since", message: "newer than the point"),
      Refusal(
        keys: "<key>Manifest</key><array><dict><key>Key</key><string>NSExtensionAttributes</string></dict></array>",
        path: ".Manifest[0].Key", message: "named as Apple's keys"),
      Refusal(
        keys: "<key>Services</key><array><string>secrets</string></array>", path: ".Services[0]",
        message: "no service “secrets”"),
      Refusal(
        keys: "<key>Permissions</key><array><string>root</string></array>", path: ".Permissions[0]",
        message: "not a permission"),
      Refusal(
        keys: "<key>Access</key><array><dict><key>Method</key><string>network/*</string></dict></array>",
        path: ".Access[0].Permissions", message: "needs the user's consent"),
      Refusal(
        keys: "<key>Access</key><array><dict><key>Method</key><string>content/execute</string></dict></array>",
        path: ".Access[0].Entitlement", message: "needs the entitlement content"),
      Refusal(
        keys: "<key>Access</key><array><dict><key>Method</key><string>keyboard/edit</string></dict></array>",
        path: ".Access[0].Method", message: "open to every extension point"),
    ]
  }

  @Test(arguments: try Cases.present(Refusal.all))
  func `that claims too much, or is broken, is refused with the place`(refusal: Refusal) throws {
    let folder = try TemporaryDirectory()
    let found = try read(file(refusal.keys, identifier: refusal.identifier, name: refusal.name), in: folder)
    #expect(found.points.isEmpty)
    let problem = found.problems.first { $0.severity == .error && $0.message.contains(refusal.message) }
    #expect(problem?.keyPath.hasSuffix(refusal.path) == true, "\(found.problems)")
    #expect(problem?.line != nil && problem?.recovery.isEmpty == false)
  }

  @Test func `may ask for more consent than a service does`() throws {
    let folder = try TemporaryDirectory()
    let found = try read(
      file(
        """
        <key>Access</key><array><dict><key>Method</key><string>defaults/*</string>
        <key>Permissions</key><array><string>network</string></array></dict></array>
        """), in: folder)
    #expect(found.problems == [])
    let table = found.table(with: Features.points)
    let allowlist = Allowlist(contracts: Features.contracts, points: table)
    let point = ExtensionPoint("org.example.dots")
    #expect(allowlist.permissions(method: "defaults/set", point: point) == ["network"])
    #expect(allowlist.refusal(method: "widget/setHasContent", point: point, entitlements: []) != nil)
    #expect(table.shortName(of: point) == "dots")
  }

  @Test func `is there once`() throws {
    let folder = try TemporaryDirectory()
    _ = try folder.write(file(), to: "a.appextensionpoint")
    _ = try folder.write(file(identifier: "org.example.other"), to: "b.appextensionpoint")
    _ = try folder.write("<plist", to: "c.appextensionpoint")
    _ = try folder.write("no list", to: "d.plist")
    let found = AnnouncedPoints(in: [folder.path, "/no/such/folder"], beside: Features.known)
    #expect(found.points.map(\.definition.point.rawValue) == ["org.example.dots"])
    #expect(found.problems.count == 2)
    #expect(found.problems.first?.message.contains("a.appextensionpoint") == true)
  }
}
