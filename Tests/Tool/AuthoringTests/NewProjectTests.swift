import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import Files
import PropertyList
import TestSupport
import Testing

@testable import Authoring

/// What `host new` writes.
@Suite(.timeLimit(.minutes(1)))
struct `A new project` {
  private static func point(_ name: String, takesItems: Bool = false) -> ExtensionPointDefinition {
    ExtensionPointDefinition(
      ExtensionPoint("org.example.points.\(name)"), shortName: name, role: "a \(name) extension",
      plural: "the \(name) extensions", limits: ExtensionLimits(memoryMiB: 64), takesItems: takesItems)
  }

  private static func project(
    _ name: String = "Hello", _ point: String = "today", _ language: ProjectLanguage = .python,
    identifier: String? = nil, takesItems: Bool = false
  ) throws(ExtensionError) -> NewProject {
    try NewProject(
      name, point: Self.point(point, takesItems: takesItems), language: language, identifier: identifier,
      annex: language == .swift ? AnnexDependency("https://example.org/annex.git") : nil)
  }

  private static func text(_ path: String, of project: NewProject) throws -> String {
    try #require(project.files(run: "host today --all").first { $0.path == path }).text
  }

  private static func manifest(_ path: String, of project: NewProject) throws -> PropertyListValue {
    let outcome = PropertyListReader.parse(Array(try text(path, of: project).utf8), file: path)
    guard case .value(let node) = outcome else { throw ExtensionError(.extensionInvalid, "\(path) is no manifest.") }
    return node.value
  }

  private static func refusal(_ name: String, identifier: String? = nil) -> ExtensionError? {
    do throws(ExtensionError) {
      _ = try project(name, identifier: identifier)
      return nil
    } catch {
      return error
    }
  }

  private static let entitlements: PropertyListValue = [
    "com.apple.security.application-groups": ["group.org.example.hello"]
  ]
  private static let extensionManifest = "Hello.app/PlugIns/HelloWidget.appex/Info.plist"

  // MARK: Manifests

  @Test func `of scripts has an app with a script and a scheme`() throws {
    let python = try #require(ProjectLanguage.python.interpreter).program
    let expected: PropertyListValue = [
      "CFBundleIdentifier": "org.example.hello", "CFBundleName": "Hello", "CFBundleShortVersionString": "1.0",
      "CFBundleVersion": "1", "CFBundleExecutable": "app.py", "CFBundlePackageType": "APPL",
      "Entitlements": Self.entitlements,
      "Annex": ["Interpreter": .string(python), "InterpreterArguments": ["-u"]],
      "CFBundleURLTypes": [["CFBundleURLName": "org.example.hello", "CFBundleURLSchemes": ["hello"]]],
    ]
    #expect(try Self.manifest("Hello.app/Info.plist", of: Self.project()) == expected)
  }

  @Test func `of scripts has an extension with a script`() throws {
    let node = try #require(ProjectLanguage.node.interpreter).program
    let expected: PropertyListValue = [
      "CFBundleIdentifier": "org.example.hello.widget", "CFBundleName": "Hello", "CFBundleShortVersionString": "1.0",
      "CFBundleVersion": "1", "CFBundleExecutable": "main.mjs", "CFBundlePackageType": "XPC!",
      "Entitlements": Self.entitlements,
      "Annex": ["Interpreter": .string(node), "InterpreterArguments": ["--jitless", "--no-expose-wasm"]],
      "NSExtension": ["NSExtensionPointIdentifier": "org.example.points.today"],
    ]
    #expect(try Self.manifest(Self.extensionManifest, of: Self.project("Hello", "today", .node)) == expected)
  }

  @Test func `may have an app without a program`() throws {
    let project = try Self.project("Hello", "today", .bash)
    let expected: PropertyListValue = [
      "CFBundleIdentifier": "org.example.hello", "CFBundleName": "Hello", "CFBundleShortVersionString": "1.0",
      "CFBundleVersion": "1", "CFBundlePackageType": "APPL", "Entitlements": Self.entitlements,
    ]
    #expect(try Self.manifest("Hello.app/Info.plist", of: project) == expected)
    let manifest = try Self.manifest(Self.extensionManifest, of: project)
    let bash = try #require(ProjectLanguage.bash.interpreter).program
    #expect(manifest["CFBundleExecutable"] == "main.sh" && manifest["Annex"] == ["Interpreter": .string(bash)])
  }

  @Test func `of a program has no interpreter`() throws {
    let manifest = try Self.manifest(Self.extensionManifest, of: Self.project("Hello", "today", .c))
    #expect(manifest["CFBundleExecutable"] == "HelloWidget" && manifest["Annex"] == nil)
  }

  @Test func `of Swift has manifests beside its sources`() throws {
    let project = try Self.project("Hello", "today", .swift)
    #expect(project.registered == "Manifests")
    let app = try Self.manifest("Manifests/Hello.plist", of: project)
    #expect(app["CFBundleExecutable"] == "Hello" && app["Annex"] == ["Products": "../.build/debug"])
    #expect(app["CFBundlePackageType"] == "APPL" && app["CFBundleURLTypes"]?.arrayValue?.count == 1)
    let inner = try Self.manifest("Manifests/HelloWidget.plist", of: project)
    #expect(inner["CFBundleExecutable"] == "HelloWidget" && inner["Annex"] == ["Products": "../.build/debug"])
    #expect(inner["CFBundlePackageType"] == "XPC!")
    let package = try Self.text("Package.swift", of: project)
    #expect(package.contains(".package(url: \"https://example.org/annex.git\", branch: \"main\")"))
  }

  private static let attributes: [(point: String, value: PropertyListValue?)] = [
    ("today", nil), ("share", nil), ("provider", nil), ("photo", ["PHSupportedMediaTypes": ["Image"]]),
    ("keyboard", ["IsASCIICapable": true, "PrimaryLanguage": "en-US"]),
    (
      "picker",
      [
        "UIDocumentPickerModes": ["UIDocumentPickerModeImport"],
        "UIDocumentPickerSupportedFileTypes": ["public.content", "public.data"],
      ]
    ),
  ]

  @Test(arguments: attributes) func `says what its point asks for`(point: String, value: PropertyListValue?) throws {
    let project = try Self.project("Hello", point)
    let path = "Hello.app/PlugIns/\(project.extensionName).appex/Info.plist"
    let entry = try #require(try Self.manifest(path, of: project)["NSExtension"])
    #expect(entry["NSExtensionAttributes"] == value)
    #expect(
      entry["NSExtensionFileProviderDocumentGroup"] == (point == "provider" ? "group.org.example.hello" : nil))
  }

  @Test func `takes texts and ten files where its point takes items`() throws {
    let project = try Self.project("Hello", "share", takesItems: true)
    let entry = try Self.manifest("Hello.app/PlugIns/HelloShare.appex/Info.plist", of: project)["NSExtension"]
    let rule: PropertyListValue = [
      "NSExtensionActivationSupportsText": true, "NSExtensionActivationSupportsAttachmentsWithMaxCount": 10,
    ]
    #expect(entry?["NSExtensionAttributes"] == ["NSExtensionActivationRule": rule])
  }

  // MARK: Names

  private static let names: [(point: String, name: String, identifier: String)] = [
    ("today", "HelloWidget", "com.example.hi.widget"), ("action-ui", "HelloActionUI", "com.example.hi.actionui"),
    ("share", "HelloShare", "com.example.hi.share"), ("picker", "HelloPicker", "com.example.hi.picker"),
  ]

  @Test(arguments: names) func `is called after its point`(point: String, name: String, identifier: String) throws {
    let project = try Self.project("Hello", point, identifier: "com.example.hi")
    #expect(project.appIdentifier == "com.example.hi" && project.identifier == identifier)
    #expect(project.extensionName == name && project.registered == "Hello.app")
  }

  @Test(arguments: ["a", "Z", "z9", "A0", String(repeating: "a", count: 40)]) func `has a name`(_ name: String) {
    #expect(Self.refusal(name) == nil)
  }

  @Test(arguments: [
    "", "1st", "a-b", "../up", "[", "@a", "a{", "a`", "é", "a/", "a:", String(repeating: "a", count: 41),
  ])
  func `has no other name`(_ name: String) {
    #expect(Self.refusal(name)?.code == .invalidParams)
    #expect(Self.refusal(name)?.message == "“\(name)” cannot be the name of an app.")
  }

  @Test(arguments: ["Swift", "Testing", "AppExtensions", "ExtensionTesting"])
  func `has no name of a module that it imports`(_ name: String) {
    #expect(Self.refusal(name)?.message == "“\(name)” is the name of a module that the extension imports.")
  }

  @Test(arguments: ["hello", "no identifier.a", ""]) func `has an identifier that is one`(_ identifier: String) {
    #expect(Self.refusal("Hello", identifier: identifier)?.message == "“\(identifier)” is not a bundle identifier.")
    #expect(Self.refusal("Hello", identifier: identifier)?.recovery?.hasSuffix("org.example.hello.") == true)
  }

  @Test func `is of a point that its language has templates for`() {
    #expect(NewProject.points(for: .bash) == ["today"] && NewProject.points(for: .go) == ["today"])
    let all = ["action", "action-ui", "keyboard", "photo", "picker", "provider", "share", "today"]
    #expect(NewProject.points(for: .python) == all && NewProject.points(for: .swift) == all)
    let error = #expect(throws: ExtensionError.self) { try Self.project("Hello", "share", .bash) }
    #expect(error?.message == "There is no template for a share extension in bash.")
    #expect(error?.recovery == "There are templates for today.")
  }

  @Test func `of Swift says where annex is`() {
    let error = #expect(throws: ExtensionError.self) {
      try NewProject("Hello", point: Self.point("today"), language: .swift)
    }
    #expect(error?.message == "A Swift package has to say where this package, annex, is.")
  }

  // MARK: Files

  @Test(arguments: [ProjectLanguage.swift, .python, .node, .bash, .c, .go])
  func `has no placeholder left, and its own list of what to ignore`(_ language: ProjectLanguage) throws {
    let files = try Self.project("Hello", "today", language).files(run: "host today --all")
    let words = ["ANNEX_PACKAGE", "ANNEX", "APP_ID", "APP", "NAME", "ID", "ROLE", "RUN"].map { "__\($0)__" }
    for file in files {
      #expect(!words.contains { file.path.contains($0) || file.text.contains($0) }, "\(file.path)")
    }
    let paths = files.map(\.path)
    #expect(paths.contains(".gitignore") && !paths.contains("gitignore") && Set(paths).count == paths.count)
    let readMe = try #require(files.first { $0.path == "README.md" })
    #expect(readMe.text.contains("host today --all"))
  }

  @Test func `has the client of its language in the extension`() throws {
    let clients = try ["python", "node", "bash"].map { name in
      let language = try #require(ProjectLanguage(rawValue: name))
      return try Self.project("Hello", "today", language).files(run: "").filter {
        $0.path.hasPrefix("Hello.app/PlugIns/HelloWidget.appex/annex/")
      }
    }
    #expect(!clients[0].isEmpty && !clients[1].isEmpty && clients[2].isEmpty)
    #expect(clients[0].allSatisfy { $0.path.hasSuffix(".py") || $0.path.hasSuffix(".typed") })
  }

  @Test func `is written once`() throws {
    let folder = try TemporaryDirectory()
    let project = try Self.project()
    let paths = try project.write(into: folder.path, run: "host today")
    #expect(paths == project.files(run: "").map(\.path).sorted())
    #expect(paths.allSatisfy { FileStatus(folder.file("Hello/\($0)"))?.kind == .regular })
    let error = #expect(throws: ExtensionError.self) { try project.write(into: folder.path, run: "host today") }
    #expect(error?.code == .storeFailed)
    #expect(error?.message == "\(folder.path)/Hello is there already, and nothing is overwritten.")
    let nowhere = #expect(throws: ExtensionError.self) { try project.write(into: folder.file("none"), run: "") }
    #expect(nowhere?.code == .storeFailed && nowhere?.recovery == "Choose a folder that you can write, with --into.")
  }
}
