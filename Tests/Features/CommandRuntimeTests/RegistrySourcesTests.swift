import CommandLineTool
import Contracts
import ExtensionProtocol
import Foundation
import TestSupport
import Testing

@testable import CommandRuntime
@testable import ExtensionHosting

/// Where a command line looks for extensions.
@Suite(.timeLimit(.minutes(1)))
struct `The places of extensions` {
  private let stage: CommandStage
  private var folder: String { stage.folder.path }

  init() throws {
    stage = try CommandStage()
    for name in ["a", "b", "X.app", "Y.appex", "app"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
  }

  @Test func `are folders and bundles that are named, each once, with the programs of the user`()
    throws
  {
    let environment = ["ANNEX_HOME": stage.home, "ANNEX_PRODUCTS": "/p:/q/r"]
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/Link.app", withDestinationPath: "\(folder)/X.app")
    let sources = try stage.invocation(
      "run", "--manifests", "\(folder)/b", "--manifests", "\(folder)/X.app", "--manifests",
      "\(folder)/a",
      "--manifests", "\(folder)/Y.appex/", "--manifests", "\(folder)/app", environment: environment
    ).registrySources()
    #expect(sources.manifestFolders.map(\.path) == ["\(folder)/b", "\(folder)/a", "\(folder)/app"])
    #expect(
      sources.manifestFolders.map(\.products) == Array(repeating: Installation.products, count: 3))
    #expect(sources.manifestFolders.map(\.programs) == Array(repeating: ["/p", "/q/r"], count: 3))
    #expect(sources.bundles == ["\(folder)/X.app", "\(folder)/Y.appex"])
    #expect(sources.announcements == ["\(stage.home)/points"])
    #expect(sources.cache != nil)
    // By another name it is the same bundle.
    let linked = try stage.invocation("run", "--manifests", "\(folder)/Link.app").registrySources()
    #expect(linked.bundles == ["\(folder)/X.app"] && linked.manifestFolders.isEmpty)
  }

  @Test func `are those of the development build where none is named`() throws {
    let sources = try stage.invocation("run").registrySources()
    #expect(
      sources.manifestFolders.map(\.path) == [Installation.developmentManifests].compactMap(\.self))
    #expect(sources.bundles == [])
    // Programs elsewhere are the user's to name.
    #expect(sources.manifestFolders.allSatisfy { $0.programs.isEmpty })
  }

  @Test func `are also the bundles that were added, each once`() async throws {
    let invocation = try stage.invocation(
      "run", "--manifests", "\(folder)/X.app", "--manifests", "\(folder)/Y.appex")
    let added = "\(folder)/X.app"
    try await RegistryFile.update(invocation) { record throws(ExtensionError) in
      try record.add(bundle: added)
    }
    #expect(try invocation.registrySources().bundles == [added, "\(folder)/Y.appex"])
    #expect(try invocation.record().bundles.map(\.path) == [added])
    #expect(FileManager.default.fileExists(atPath: "\(stage.home)/registry.json"))
  }

  @Test func `are known without a folder for the state, and then nothing is remembered`() throws {
    let invocation = try stage.invocation("run", "--manifests", "\(folder)/a", environment: [:])
    let sources = try invocation.registrySources()
    #expect(sources.manifestFolders.map(\.path) == ["\(folder)/a"])
    #expect(sources.announcements == [] && sources.cache == nil && sources.bundles == [])
    #expect(try invocation.record() == RegistryRecord())
    let error = #expect(throws: ExtensionError.self) { try invocation.state() }
    #expect(error?.code == .storeFailed)
    #expect(error.map { Failure($0).error.recovery } == "Pass --home DIR.")
  }

  @Test(arguments: ["none", "file", "none.app"]) func `are folders, and nothing else`(name: String)
    throws
  {
    _ = try stage.folder.write("", to: "file")
    let error = #expect(throws: ExtensionError.self) {
      try stage.invocation("run", "--manifests", "\(folder)/a", "--manifests", "\(folder)/\(name)")
        .registrySources()
    }
    #expect(error?.code == .extensionUnknown)
    #expect(
      error?.message.hasPrefix("Cannot read the manifest folder “\(folder)/\(name)”: ") == true)
    #expect(error?.recovery == "Give --manifests a folder with property lists.")
  }

  @Test func `lose a bundle that is removed, with what was approved of its extensions`() throws {
    let manifest = """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>org.example.x</string>
      <key>CFBundlePackageType</key><string>APPL</string><key>CFBundleVersion</key><string>1</string></dict></plist>
      """
    _ = try stage.folder.write(manifest, to: "X.app/Info.plist")
    var record = RegistryRecord()
    try record.add(bundle: "\(folder)/X.app")
    try record.add(bundle: "\(folder)/Y.appex")
    record.approvals = ["org.example.x": ["data"], "org.example.y": ["data"]]
    let registry = try stage.invocation("run", "--manifests", "\(folder)/X.app").registry()
    #expect(registry.entries.map(\.identifier) == ["org.example.x"])
    RegistryFile.remove(["\(folder)/X.app", "\(folder)/none.app"], from: &record, known: registry)
    #expect(record.bundles.map(\.path) == ["\(folder)/Y.appex"])
    #expect(record.approvals == ["org.example.y": ["data"]])
  }

  @Test func `have points with names, and near misses of them`() throws {
    let invocation = try stage.invocation("run", "--manifests", "\(folder)/a")
    #expect(try invocation.point() == nil)
    #expect(try stage.invocation("run", "--point", "today").point() == ExtensionPoint.today)
    let points = try invocation.points()
    #expect(try points.required("today") == ExtensionPoint.today)
    #expect(try points.required(ExtensionPoint.today.rawValue) == ExtensionPoint.today)
    let far = #expect(throws: CommandLineError.self) { try points.required("zzzzzzzz") }
    #expect(far?.message == "“zzzzzzzz” is not an extension point.")
    #expect(far?.help.hasPrefix("The points are: ") == true && far?.help.contains("today") == true)
    let near = #expect(throws: CommandLineError.self) { try points.required("todya") }
    #expect(near?.help == "Did you mean today?")
  }
}
