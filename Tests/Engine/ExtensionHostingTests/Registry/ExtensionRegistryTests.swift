import Activation
import ExtensionHosting
import ExtensionProtocol
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An extension registry` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: Making manifests

  private func manifest(_ id: String, _ keys: String = "", extension point: String? = nil, attributes: String = "")
    -> String
  {
    let type = point == nil ? "APPL" : "XPC!"
    let section = point.map {
      """
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>\($0)</string>
      <key>NSExtensionAttributes</key><dict>\(attributes)</dict></dict>
      """
    }
    let executable = id.split(separator: ".").last ?? ""
    return """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>\(id)</string>
      <key>CFBundleExecutable</key><string>\(executable)</string>
      <key>CFBundlePackageType</key><string>\(type)</string>
      \(keys.contains("CFBundleVersion") ? "" : "<key>CFBundleVersion</key><string>1</string>")
      \(keys)
      \(section ?? "")
      </dict></plist>
      """
  }

  private static let clock = "com.example.points.clock"
  private static let sender = "com.example.points.sender"
  private static let groups = """
    <key>Entitlements</key><dict><key>com.apple.security.application-groups</key>
    <array><string>group.com.example.notes</string></array></dict>
    """

  private func loose(_ name: String, _ text: String, executable: String? = nil) throws {
    try folder.write("Manifests/\(name).plist", text.utf8)
    if let executable { try folder.writeExecutable("products/\(executable)") }
  }

  private func registry(_ elections: [String: Election] = [:], bundles: [String] = []) -> ExtensionRegistry {
    ExtensionRegistry(
      RegistrySources(
        bundles: bundles.map { "\(folder.path)/\($0)" },
        manifestFolders: [.init(path: "\(folder.path)/Manifests/", products: "\(folder.path)/products")],
        elections: elections))
  }

  private func writeNotes() throws {
    try loose("Notes", manifest("com.example.notes", Self.groups), executable: "notes")
    try loose("Clock", manifest("com.example.notes.clock", extension: Self.clock), executable: "clock")
  }

  // MARK: Loose manifests

  @Test func `finds loose manifests and their executables`() throws {
    try writeNotes()
    let registry = registry()
    #expect(registry.entries.map(\.identifier) == ["com.example.notes", "com.example.notes.clock"])
    #expect(registry.apps.map(\.identifier) == ["com.example.notes"])
    #expect(registry.extensions(at: .clock).map(\.identifier) == ["com.example.notes.clock"])
    #expect(registry.extensions(at: .sender).isEmpty)
    let clock = try registry.enabledExtension("com.example.notes.clock")
    #expect(clock.executablePath?.hasSuffix("/products/clock") == true && clock.bundlePath == nil)
    #expect(clock.containingApp == "com.example.notes" && clock.displayName == "clock")
    #expect(registry.containingApp(of: clock)?.identifier == "com.example.notes")
    #expect(registry.extensions(of: "com.example.notes").map(\.identifier) == ["com.example.notes.clock"])
  }

  @Test func `finds scripts beside the manifests' folder`() throws {
    try writeNotes()
    let annex = "<key>Annex</key><dict><key>Interpreter</key><string>/bin/sh</string></dict>"
    try loose("Script", manifest("com.example.notes.script", annex, extension: Self.clock))
    #expect(registry().entry("com.example.notes.script")?.state.name == "missing")
    try folder.write("Plugins/script", "exit 0\n".utf8)
    let entry = try registry().enabledExtension("com.example.notes.script")
    #expect(entry.executablePath?.hasSuffix("/Plugins/script") == true)
    #expect(entry.manifest?.interpreter == "/bin/sh")
  }

  @Test func `says when an interpreter is missing`() throws {
    try writeNotes()
    let annex = "<key>Annex</key><dict><key>Interpreter</key><string>/no/python</string></dict>"
    try loose("Script", manifest("com.example.notes.script", annex, extension: Self.clock))
    try folder.write("Plugins/script", "exit 0\n".utf8)
    #expect(registry().entry("com.example.notes.script")?.reasons.first?.contains("/no/python") == true)
  }

  @Test func `keeps an entry for every bad manifest and never hides the others`() throws {
    try writeNotes()
    try loose("Empty", "")
    try loose("Broken", "<plist><dict><key>CFBundle")
    try loose("Wrong", manifest("com.example.notes.wrong", extension: "com.example.none"))
    try folder.write("Manifests/notes.txt", "not a manifest".utf8)
    let registry = registry()
    #expect(registry.entry("com.example.notes.clock")?.isEnabled == true)
    #expect(registry.entries.filter { $0.state == .invalid }.count == 3)
    let broken = try #require(registry.entry("Broken.plist"))
    #expect(broken.problems.first?.line == 1 && broken.tag == "!" && broken.manifest == nil)
    #expect(registry.entry("com.example.notes.wrong")?.reasons.count == 1)
  }

  @Test func `knows a manifest that cannot be read by what is left of it, and an app by its bundle`() throws {
    let rest = """
      <plist><dict><key>CFBundleIdentifier</key><string>com.example.notes.left</string>
      <key>NSExtensionPointIdentifier</key><string>\(Self.clock)</string><key>
      """
    try loose("Left", rest)
    for bundle in ["Left.app", "Left.appex"] { try folder.write("\(bundle)/Info.plist", rest.utf8) }
    let entries = registry(bundles: ["Left.app", "Left.appex"]).entries
    #expect(entries.map(\.identifier) == Array(repeating: "com.example.notes.left", count: 3))
    #expect(entries.allSatisfy { $0.state == .invalid && $0.isUnreadable && $0.manifest == nil })
    for entry in entries {
      let isApp = entry.bundlePath?.hasSuffix(".app") == true
      #expect(entry.point == (isApp ? .containingApp : .clock) && entry.isApp == isApp, "\(entry.manifestPath)")
    }
    #expect(entries.count { $0.bundlePath == nil } == 1)
  }

  @Test func `needs the executable inside its folder`() throws {
    try writeNotes()
    try loose("Gone", manifest("com.example.notes.gone", extension: Self.clock))
    try loose("Link", manifest("com.example.notes.link", extension: Self.clock))
    try loose("Plain", manifest("com.example.notes.plain", extension: Self.clock))
    try loose("Folder", manifest("com.example.notes.folder", extension: Self.clock))
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/products/link", withDestinationPath: "/bin/sh")
    try folder.write("products/plain", "x".utf8)
    try folder.write("products/folder/x", "x".utf8)
    let registry = registry()
    for (name, part) in [
      ("gone", "does not exist"), ("link", "lies outside"), ("plain", "not marked as executable"),
      ("folder", "not a regular file"),
    ] {
      let entry = try #require(registry.entry("com.example.notes.\(name)"))
      #expect(entry.state.name == "missing" && entry.reasons.first?.contains(part) == true, "\(entry.reasons)")
    }
  }

  // MARK: Containing apps

  @Test func `takes the app with the longest identifier that fits`() throws {
    try writeNotes()
    try loose("Pro", manifest("com.example.notes.pro"), executable: "pro")
    try loose("ProClock", manifest("com.example.notes.pro.clock", extension: Self.clock), executable: "clock")
    try loose("Prolog", manifest("com.example.notes.prolog", extension: Self.clock), executable: "prolog")
    let registry = registry()
    #expect(registry.entry("com.example.notes.pro.clock")?.containingApp == "com.example.notes.pro")
    #expect(registry.entry("com.example.notes.prolog")?.containingApp == "com.example.notes")
  }

  @Test func `refuses an extension without a containing app`() throws {
    try loose("Clock", manifest("com.example.notes.clock", extension: Self.clock), executable: "clock")
    let entry = try #require(registry().entry("com.example.notes.clock"))
    #expect(entry.state == .invalid && entry.problems.last?.keyPath == "CFBundleIdentifier")
  }

  @Test func `refuses a group that the app does not have`() throws {
    try loose("Notes", manifest("com.example.notes"), executable: "notes")
    try loose("Clock", manifest("com.example.notes.clock", Self.groups, extension: Self.clock), executable: "clock")
    #expect(registry().entry("com.example.notes.clock")?.state == .invalid)
    try loose("Notes", manifest("com.example.notes", Self.groups))
    #expect(registry().entry("com.example.notes.clock")?.state == .enabled)
  }

  @Test func `finds an app by its URL scheme`() throws {
    let types = """
      <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key>
      <array><string>Notes</string></array></dict></array>
      """
    try loose("Notes", manifest("com.example.notes", types), executable: "notes")
    #expect(registry().app(forScheme: "NOTES")?.identifier == "com.example.notes")
    #expect(registry().app(forScheme: "other") == nil)
  }

  // MARK: Bundles

  private func writeBundle(_ name: String, _ text: String, executable: String) throws {
    try folder.write("\(name)/Info.plist", text.utf8)
    try folder.writeExecutable("\(name)/\(executable)")
  }

  @Test func `finds an app's bundle with its extensions`() throws {
    try writeBundle(
      "Mail.app", manifest("com.example.mail", "<key>CFBundleName</key><string>Mail</string>"), executable: "mail")
    let inner = "Mail.app/PlugIns"
    try writeBundle("\(inner)/A.appex", manifest("com.example.mail.a", extension: Self.clock), executable: "a")
    try writeBundle("\(inner)/B.appex", manifest("com.example.other.b", extension: Self.clock), executable: "b")
    let registry = registry(bundles: ["Mail.app/"])
    let good = try registry.enabledExtension("com.example.mail.a")
    #expect(good.bundlePath?.hasSuffix("Mail.app/PlugIns/A.appex") == true && good.displayName == "Mail")
    #expect(good.executablePath?.hasSuffix("A.appex/a") == true)
    let bad = try #require(registry.entry("com.example.other.b"))
    #expect(bad.state == .invalid && bad.containingApp == "com.example.mail")
  }

  @Test func `wants the preprocessing file of a bundle`() throws {
    try writeBundle("Mail.app", manifest("com.example.mail"), executable: "mail")
    let file = "<key>Script</key><string>Page</string>"
    let text = manifest("com.example.mail.a", extension: Self.clock, attributes: file)
    try writeBundle("Mail.app/PlugIns/A.appex", text, executable: "a")
    #expect(registry(bundles: ["Mail.app"]).entry("com.example.mail.a")?.state == .invalid)
    try folder.write("Mail.app/PlugIns/A.appex/Page.js", "".utf8)
    #expect(registry(bundles: ["Mail.app"]).entry("com.example.mail.a")?.state == .enabled)
  }

  @Test func `wants the preprocessing file of a loose manifest beside its executable, once that is there`() throws {
    try loose("Mail", manifest("com.example.mail"), executable: "mail")
    let file = "<key>Script</key><string>Page</string>"
    try loose("A", manifest("com.example.mail.a", extension: Self.clock, attributes: file))
    #expect(registry().entry("com.example.mail.a")?.state.name == "missing")
    try folder.writeExecutable("products/a")
    let bad = try #require(registry().entry("com.example.mail.a"))
    let message = try #require(bad.problems.first { $0.severity == .error }).message
    #expect(bad.state == .invalid && message.hasPrefix("There is no file “Page.js” in "))
    #expect(message.hasSuffix("/products, beside the executable."))
    // A link that leads nowhere is no file.
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/products/Page.js", withDestinationPath: "None.js")
    #expect(registry().entry("com.example.mail.a")?.state == .invalid)
    try FileManager.default.removeItem(atPath: "\(folder.path)/products/Page.js")
    try folder.write("products/Page.js", "".utf8)
    #expect(registry().entry("com.example.mail.a")?.state == .enabled)
  }

  @Test func `keeps an entry for a bundle that is not there`() throws {
    let entry = try #require(registry(bundles: ["None.app"]).entry("None.app"))
    #expect(entry.state == .invalid && entry.isApp)
  }

  // MARK: Duplicates and elections

  @Test func `uses the highest version, the newest among equals`() throws {
    try writeNotes()
    func version(_ text: String) -> String { "<key>CFBundleVersion</key><string>\(text)</string>" }
    try loose("ClockB", manifest("com.example.notes.clock", version("1.10"), extension: Self.clock))
    try loose("ClockA", manifest("com.example.notes.clock", version("1.9"), extension: Self.clock))
    try loose("ClockC", manifest("com.example.notes.clock", version("1.10.0"), extension: Self.clock))
    try folder.setModified("Manifests/ClockB.plist", 2_000_000_000)
    try folder.setModified("Manifests/ClockC.plist", 1_000_000_000)
    let all = registry().entries.filter { $0.identifier == "com.example.notes.clock" }
    #expect(all.filter(\.isEnabled).map(\.manifestPath).allSatisfy { $0.hasSuffix("ClockB.plist") })
    #expect(all.filter { $0.tag == "=" }.count == 3)
    #expect(registry().entry("com.example.notes.clock")?.manifest?.version.text == "1.10")
  }

  @Test func `never lets a broken new version hide a working old one`() throws {
    try writeNotes()
    let next = "<key>CFBundleVersion</key><string>2</string><key>Annex</key><string>?</string>"
    try loose("ClockNew", manifest("com.example.notes.clock", next, extension: Self.clock))
    #expect(registry().entry("com.example.notes.clock")?.manifest?.version.text == "1")
  }

  @Test func `follows the user's decisions`() throws {
    try writeNotes()
    let ignoring = registry(["com.example.notes.clock": .ignore])
    #expect(ignoring.entry("com.example.notes.clock")?.tag == "-")
    #expect(ignoring.extensions.isEmpty)
    let error = #expect(throws: ExtensionError.self) { try ignoring.enabledExtension("com.example.notes.clock") }
    #expect(error?.recovery?.contains("RegistryRecord.elect") == true)
    #expect(registry(["com.example.notes.clock": .use]).entry("com.example.notes.clock")?.tag == "+")
    #expect(registry().entry("com.example.notes.clock")?.tag == " ")
  }

  // MARK: Errors and rules

  @Test func `suggests near misses`() throws {
    try writeNotes()
    let registry = registry()
    #expect(registry.nearMisses(of: "clok") == ["com.example.notes.clock"])
    #expect(registry.nearMisses(of: "com.example.notes.clcok") == ["com.example.notes.clock"])
    #expect(registry.nearMisses(of: "zebra") == [])
    let error = #expect(throws: ExtensionError.self) { try registry.enabledExtension("clok") }
    #expect(error?.code == .extensionUnknown && error?.recovery == "Did you mean com.example.notes.clock?")
    #expect(throws: ExtensionError.self) { try registry.enabledExtension("com.example.notes") }
  }

  @Test func `understands activation rules, with lines for what is wrong in them`() throws {
    try writeNotes()
    func rule(_ value: String) -> String { "<key>NSExtensionActivationRule</key>\(value)" }
    let text = rule("<dict><key>NSExtensionActivationSupportsText</key><true/></dict>")
    try loose("Text", manifest("com.example.notes.text", extension: Self.sender, attributes: text), executable: "text")
    let files = rule("<dict><key>NSExtensionActivationSupportsFileWithMaxCount</key><integer>1</integer></dict>")
    try loose("File", manifest("com.example.notes.file", extension: Self.sender, attributes: files), executable: "file")
    let wrong = rule("<dict>\n<key>NSExtensionActivationSupportsText</key>\n<integer>1</integer></dict>")
    try loose("Bad", manifest("com.example.notes.bad", extension: Self.sender, attributes: wrong), executable: "bad")
    let registry = registry()
    let found = registry.matches([
      ActivationItem(attachments: [ActivationAttachment(["public.plain-text"])])
    ])
    #expect(found.map(\.entry.identifier) == ["com.example.notes.file", "com.example.notes.text"])
    #expect(found.map(\.match.isOffered) == [false, true])
    let bad = try #require(registry.entry("com.example.notes.bad"))
    #expect(bad.state == .invalid)
    let problem = try #require(bad.problems.first { $0.severity == .error })
    #expect(problem.keyPath.hasSuffix("NSExtensionActivationRule.NSExtensionActivationSupportsText"))
    #expect(problem.line == 10)
  }

  @Test func `adds the types that manifests declare`() throws {
    let types = """
      <key>UTExportedTypeDeclarations</key><array><dict><key>UTTypeIdentifier</key><string>com.example.note</string>
      <key>UTTypeConformsTo</key><array><string>public.text</string></array></dict></array>
      """
    try loose("Notes", manifest("com.example.notes", types), executable: "notes")
    #expect(registry().types.conforms("com.example.note", to: "public.text"))
  }

  @Test func `tells what changed since an earlier picture`() throws {
    let first = registry()
    try writeNotes()
    let second = registry()
    #expect(second.changes(since: first).map(\.kind) == [.enabled, .enabled])
    #expect(second.changes(since: second).isEmpty)
    try loose(
      "Clock", manifest("com.example.notes.clock", "<key>CFBundleName</key><string>C</string>", extension: Self.clock))
    let third = registry()
    #expect(third.changes(since: second).map(\.kind) == [.replaced])
    let fourth = registry(["com.example.notes.clock": .ignore])
    let change = try #require(fourth.changes(since: third).first)
    #expect(change.kind == .disabled && change.identifier == "com.example.notes.clock" && change.reasons.count == 1)
    try FileManager.default.removeItem(atPath: "\(folder.path)/Manifests/Clock.plist")
    #expect(registry().changes(since: third).map(\.reasons) == [[]])
  }

  @Test func `of nothing is empty`() {
    #expect(ExtensionRegistry(RegistrySources()).entries.isEmpty)
    #expect(registry().entries.isEmpty)
  }

  @Test func `asks the rules of a point about the app's other extensions, and about types`() throws {
    try writeNotes()
    let attributes = "<key>Sender</key><string>com.example.notes.mail</string>"
    try loose("Face", manifest("com.example.notes.face", extension: Self.clock, attributes: attributes))
    try folder.writeExecutable("products/face")
    let problem = try #require(registry().entry("com.example.notes.face")?.problems.first)
    #expect(problem.keyPath == "NSExtension.NSExtensionAttributes.Sender" && problem.line != nil)
    #expect(problem.message == "The app has no sender com.example.notes.mail.")
    let rule = "<key>NSExtensionActivationRule</key><string>FALSEPREDICATE</string>"
    try loose("Mail", manifest("com.example.notes.mail", extension: Self.sender, attributes: rule), executable: "mail")
    #expect(registry().entry("com.example.notes.face")?.isEnabled == true)
    let types = "<key>Shows</key><string>com.example.hour</string>"
    try loose("Face", manifest("com.example.notes.face", extension: Self.clock, attributes: types))
    let face = try #require(registry().entry("com.example.notes.face"))
    #expect(face.isEnabled && face.problems.map(\.message) == ["Nobody declares com.example.hour."])
  }
}
