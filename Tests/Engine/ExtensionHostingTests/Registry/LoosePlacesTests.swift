import ExtensionHosting
import ExtensionProtocol
import Foundation
import Testing

/// A manifest may come from anybody, and names what is shown to its extension.
@Suite(.timeLimit(.minutes(1))) struct `The place of a loose manifest's executable` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("home/.ssh/id_rsa", "a key".utf8, mode: 0o600)
    try folder.write("home/papers/taxes", "a secret".utf8)
    try folder.writeExecutable("home/tools/clock")
    try folder.write(
      "home/Downloads/Clock/Manifests/app.plist",
      """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>com.example.clock</string>
      <key>CFBundlePackageType</key><string>APPL</string><key>CFBundleVersion</key><string>1</string>
      </dict></plist>
      """.utf8)
  }

  private var manifests: String { "\(folder.path)/home/Downloads/Clock/Manifests" }

  private func entry(
    _ executable: String, _ annex: String, script: Bool, programs: [String] = []
  ) throws -> RegistryEntry {
    let interpreter = script ? "<key>Interpreter</key><string>/bin/sh</string>" : ""
    try folder.write(
      "home/Downloads/Clock/Manifests/clock.plist",
      """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>com.example.clock.widget</string>
      <key>CFBundleExecutable</key><string>\(executable)</string>
      <key>CFBundlePackageType</key><string>XPC!</string><key>CFBundleVersion</key><string>1</string>
      <key>Annex</key><dict>\(interpreter)\(annex)</dict>
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>com.example.points.clock</string></dict>
      </dict></plist>
      """.utf8)
    let registry = ExtensionRegistry(
      RegistrySources(manifestFolders: [
        .init(path: manifests, products: "\(folder.path)/products", programs: programs)
      ]))
    return try #require(registry.entry("com.example.clock.widget"))
  }

  private func products(_ path: String) -> String { "<key>Products</key><string>\(path)</string>" }

  private func link(_ name: String, to target: String) throws {
    let path = "\(folder.path)/home/Downloads/Clock/\(name)"
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  private func isRefused(_ entry: RegistryEntry, _ words: String...) -> Bool {
    let texts = entry.reasons + entry.problems.compactMap(\.recovery)
    return entry.state == .invalid && words.allSatisfy { word in texts.contains { $0.contains(word) } }
  }

  @Test(arguments: [
    "../../../.ssh", "./../../../.ssh", "../../../papers", "..", "../.build/../../../papers", "../Plugins",
  ])
  func `is not above it, for a script`(path: String) throws {
    try folder.write("home/Downloads/Clock/id_rsa", "x".utf8)
    try folder.write("home/Downloads/Clock/Plugins/id_rsa", "x".utf8)
    try folder.write("home/papers/id_rsa", "x".utf8)
    let found = try entry("id_rsa", products(path), script: true)
    #expect(isRefused(found, "Annex.Products is “\(path)”", "outside of the manifest's folder"), "\(found.reasons)")
  }

  @Test func `is nowhere by an absolute path, which a script may not even have from its user`() throws {
    let keys = "\(folder.path)/home/.ssh"
    let script = try entry("id_rsa", products(keys), script: true, programs: [keys])
    #expect(isRefused(script, "leads to \(keys)"), "\(script.reasons)")
    let tools = "\(folder.path)/home/tools"
    let program = try entry("clock", products(tools), script: false)
    #expect(isRefused(program, "ANNEX_PRODUCTS=\(tools)"), "\(program.reasons)")
    let missing = try entry("clock", products("\(tools)/none"), script: false)
    #expect(isRefused(missing, "outside"), "\(missing.reasons)")
    #expect(try entry("clock", products(tools), script: false, programs: [tools]).isEnabled)
    #expect(try entry("clock", products("../../../tools"), script: false, programs: [tools]).isEnabled)
  }

  @Test func `is behind no link that leads out`() throws {
    try link("Manifests/built", to: "../../../papers")
    let named = try entry("taxes", products("built"), script: true)
    #expect(isRefused(named, "leads to \(folder.path)/home/papers"), "\(named.reasons)")
    try link("Manifests/file", to: "../../../papers/taxes")
    let file = try entry("file", "", script: true)
    #expect(file.state.name == "missing" && file.reasons[0].contains("lies outside"), "\(file.reasons)")
    try link("Plugins", to: "../../papers")
    let beside = try entry("taxes", "", script: true)
    #expect(isRefused(beside, "/Plugins is a link to \(folder.path)/home/papers"), "\(beside.reasons)")
    let keys = try entry("taxes/x", "", script: true)
    #expect(isRefused(keys, "is a link to"), "\(keys.reasons)")
  }

  @Test func `is no hidden folder, for a script`() throws {
    try folder.write("home/Downloads/Clock/Manifests/.ssh/id_rsa", "a key".utf8)
    let hidden = try entry(".ssh/id_rsa", "", script: true)
    #expect(isRefused(hidden, "hidden, by “.ssh”"), "\(hidden.reasons)")
    let named = try entry("id_rsa", products(".ssh"), script: true)
    #expect(isRefused(named, "hidden"), "\(named.reasons)")
  }

  @Test func `is below it, and for a program in the build folder of its package`() throws {
    try folder.write("home/Downloads/Clock/Manifests/scripts/clock.sh", "exit 0".utf8)
    #expect(try entry("clock.sh", products("scripts"), script: true).isEnabled)
    #expect(try entry("clock.sh", products("./scripts/"), script: true).isEnabled)
    try folder.writeExecutable("home/Downloads/Clock/.build/machine/debug/clock")
    try link(".build/debug", to: "machine/debug")
    let alone = try entry("clock", products("../.build/debug"), script: false)
    #expect(isRefused(alone, "outside of the manifest's folder"), "\(alone.reasons)")
    try folder.write("home/Downloads/Clock/Package.swift", "".utf8)
    #expect(try entry("clock", products("../.build/debug"), script: false).isEnabled)
    let script = try entry("clock", products("../.build/debug"), script: true)
    #expect(isRefused(script, "outside of the manifest's folder"), "\(script.reasons)")
    try link(".build/release", to: "../../../tools")
    let out = try entry("clock", products("../.build/release"), script: false)
    #expect(isRefused(out, "leads to \(folder.path)/home/tools"), "\(out.reasons)")
  }

  @Test func `is where its user said, and not where the path is another spelling of an accent`() throws {
    let paths = ["\u{E9}", "e\u{301}"].map { "\(folder.path)/home/\($0)" }
    for path in paths { try #require(mkdir(path, 0o755) == 0) }
    for (index, path) in paths.enumerated() {
      let places = LoosePlaces(folder: manifests, programs: [path])
      #expect(places.refusal(of: path, isScript: false) == nil)
      #expect(places.refusal(of: path, isScript: true)?.recovery.hasPrefix("Put the script below") == true)
      let other = places.refusal(of: paths[1 - index], isScript: false)
      #expect(other?.recovery.hasPrefix("Put the program below") == true)
    }
  }

  @Test func `is in the folder beside the manifests, not in one whose path is another spelling of an accent`() throws {
    let roots = ["\u{E9}", "e\u{301}"].map { "\(folder.path)/home/\($0)" }
    for path in roots + ["\(roots[1])/Plugins", "\(roots[0])/Manifests"] { try #require(mkdir(path, 0o755) == 0) }
    try #require(symlink("\(roots[1])/Plugins", "\(roots[0])/Plugins") == 0)
    _ = try entry("clock", "", script: true)
    try #require(rename("\(manifests)/clock.plist", "\(roots[0])/Manifests/clock.plist") == 0)
    let registry = ExtensionRegistry(
      RegistrySources(manifestFolders: [.init(path: "\(roots[0])/Manifests", products: "\(folder.path)/products")]))
    let found = try #require(registry.entry("com.example.clock.widget"))
    #expect(found.problems.contains { $0.message.contains("/Plugins is a link to") }, "\(found.reasons)")
  }
}
