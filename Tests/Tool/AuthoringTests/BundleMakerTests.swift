import ExtensionHosting
import ExtensionProtocol
import Files
import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Authoring

/// What `host bundle` makes.
@Suite(.timeLimit(.minutes(1)))
struct `A bundle that is made` {
  private let folder: TemporaryDirectory
  private let root: String
  private var project: String { "\(root)/project" }
  private var target: String { "\(root)/out/deep/Tea.app" }

  init() throws {
    folder = try TemporaryDirectory()
    root = try #require(File.resolved(folder.path))
    try write(Self.manifest("APPL"), "project/Manifests/Tea.plist")
  }

  private static func manifest(_ type: String, _ rest: String = "") -> String {
    """
    <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
    <key>CFBundlePackageType</key><string>\(type)</string><key>CFBundleVersion</key><string>1</string>\(rest)</dict></plist>
    """
  }

  /// The manifest of an extension.
  private static func kettle(_ executable: String, interpreter: String? = nil, products: String? = nil) -> String {
    func entry(_ key: String, _ value: String?) -> String {
      value.map { "<key>\(key)</key><string>\($0)</string>" } ?? ""
    }
    let annex = entry("Interpreter", interpreter) + entry("Products", products)
    return manifest(
      "XPC!",
      """
      \(entry("CFBundleExecutable", executable))\(annex.isEmpty ? "" : "<key>Annex</key><dict>\(annex)</dict>")
      <key>NSExtension</key><dict>\(entry("NSExtensionPointIdentifier", "com.apple.widget-extension"))</dict>
      """)
  }

  private func write(_ text: String, _ name: String, mode: Int = 0o644) throws {
    let path = "\(root)/\(name)"
    try FileManager.default.createDirectory(atPath: Folder.parent(of: path), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  private func maker(_ name: String = "project", products: String? = nil, identifier: String? = "org.example.tea")
    throws -> BundleMaker
  {
    let settings = BuildSettings(identifier.map { ["PRODUCT_BUNDLE_IDENTIFIER": $0] } ?? [:])
    return try BundleMaker("\(root)/\(name)", settings: settings, products: products)
  }

  private func manifest(_ bundle: String) throws -> PropertyListValue {
    guard case .value(let node) = PropertyListReader.read("\(bundle)/Info.plist") else {
      throw ExtensionError(.extensionInvalid, bundle)
    }
    return node.value
  }

  private func names(_ name: String = "PlugIns/Kettle.appex") -> [String] {
    Folder.names(in: "\(target)/\(name)").sorted()
  }
  private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  private func refusal(_ maker: BundleMaker, _ target: String? = nil) -> ExtensionError? {
    #expect(throws: ExtensionError.self) { try maker.make(target ?? self.target) }
  }

  // MARK: Of manifests

  @Test func `has an app, its extensions with their scripts, and announced points`() throws {
    try write(Self.kettle("run.py", interpreter: "/bin/sh"), "project/Manifests/Kettle.plist")
    try write("script", "project/run.py")
    try write("point", "project/Manifests/Points/x\(AnnouncedPoint.fileEnding)")
    try write("other", "project/Manifests/Points/x.txt")
    let maker = try maker()
    #expect(try maker.name() == "Tea.app")
    try maker.make(target) { draft in
      #expect(draft.hasSuffix("/Tea.app") && FileStatus("\(draft)/Info.plist") != nil && FileStatus(target) == nil)
    }
    #expect(names("") == ["Info.plist", "PlugIns", "Points"] && names("PlugIns") == ["Kettle.appex"])
    #expect(names() == ["Info.plist", "run.py"] && names("Points") == ["x\(AnnouncedPoint.fileEnding)"])
    let app = try manifest(target)
    #expect(app["CFBundleIdentifier"] == "org.example.tea" && app["CFBundleExecutable"] == nil)
    let inner = try manifest("\(target)/PlugIns/Kettle.appex")
    #expect(inner["CFBundleIdentifier"] == "org.example.tea.Kettle" && inner["CFBundleExecutable"] == "run.py")
    #expect(Folder.names(in: "\(root)/out/deep") == ["Tea.app"])
  }

  @Test func `has the folder of a script, which names the folder no longer`() throws {
    try write(Self.kettle("scripts/bin/run.py", interpreter: "/bin/sh"), "project/Manifests/Kettle.plist")
    for name in ["bin/run.py", "helper.py", "Info.plist"] { try write(name, "project/scripts/\(name)") }
    try maker().make(target)
    #expect(names() == ["Info.plist", "bin", "helper.py"] && names("PlugIns/Kettle.appex/bin") == ["run.py"])
    #expect(try manifest("\(target)/PlugIns/Kettle.appex")["CFBundleExecutable"] == "bin/run.py")
  }

  @Test func `has a program with the resources beside it`() throws {
    try write(Self.kettle("kettle"), "project/Manifests/Kettle.plist")
    try write("program", "build/kettle", mode: 0o755)
    try write("a", "build/Pack_kettle.resources/a.txt")
    try write("b", "build/Pack_other.resources/b.txt")
    try maker(products: "\(root)/build").make(target)
    #expect(names() == ["Info.plist", "Pack_kettle.resources", "kettle"])
    #expect(FileStatus("\(target)/PlugIns/Kettle.appex/kettle")?.isExecutable == true)
    #expect(names("PlugIns/Kettle.appex/Pack_kettle.resources") == ["a.txt"])
  }

  @Test func `has the program of the first place that has one: a release before a development build`() throws {
    try write(Self.kettle("kettle"), "project/Manifests/Kettle.plist")
    var program: String? { text("\(target)/PlugIns/Kettle.appex/kettle") }
    for place in ["Manifests", "Plugins", ".", ".build/debug", ".build/release"] {
      try write("of \(place)", "project/\(place)/kettle", mode: 0o755)
      try maker().make(target)
      #expect(program == "of \(place)")
    }
    try write("named", "build/kettle", mode: 0o755)
    try maker(products: "\(root)/build").make(target)
    #expect(program == "named")
    // A folder of that name is no program.
    try FileManager.default.createDirectory(atPath: "\(root)/other/kettle", withIntermediateDirectories: true)
    try maker(products: "\(root)/other").make(target)
    #expect(program == "of .build/release")
  }

  @Test func `names no folder of products`() throws {
    try write(Self.kettle("kettle", products: "bin"), "project/Manifests/Kettle.plist")
    try write("program", "project/Manifests/bin/kettle", mode: 0o755)
    try maker().make(target)
    #expect(try manifest("\(target)/PlugIns/Kettle.appex")["Annex"] == nil)
    try write(Self.kettle("run.py", interpreter: "/bin/sh", products: "bin"), "project/Manifests/Kettle.plist")
    try write("script", "project/Manifests/bin/run.py")
    try maker().make(target)
    #expect(try manifest("\(target)/PlugIns/Kettle.appex")["Annex"] == ["Interpreter": "/bin/sh"])
    #expect(names() == ["Info.plist", "run.py"])
  }

  @Test func `has nothing from outside of the project`() throws {
    try write("script", "run.py")
    try write(Self.kettle("run.py", interpreter: "/bin/sh", products: "../.."), "project/Manifests/Kettle.plist")
    let products = try refusal(maker())
    #expect(products?.message.hasPrefix("\(project)/Manifests/Kettle.plist: Annex.Products is “../..”") == true)
    #expect(products?.recovery?.hasPrefix("Put the script below ") == true)
    try write(Self.kettle("../run.py", interpreter: "/bin/sh"), "project/Manifests/Kettle.plist")
    let executable = try refusal(maker())
    #expect(executable?.message == "CFBundleExecutable of \(project)/Manifests/Kettle.plist is “../run.py”.")
    #expect(executable?.code == .extensionInvalid && FileStatus(target) == nil)
  }

  @Test func `is not made without a program, or a script`() throws {
    try write(Self.kettle("kettle"), "project/Manifests/Kettle.plist")
    let program = try refusal(maker())
    #expect(program?.code == .extensionInvalid)
    #expect(
      program?.message.hasPrefix("The executable “kettle” of \(project)/Manifests/Kettle.plist is in none of ") == true)
    #expect(
      program?.recovery
        == "Build it first (swift build --package-path \(project)), or name its folder with --products.")
    try write(Self.kettle("run.py", interpreter: "/bin/sh"), "project/Manifests/Kettle.plist")
    #expect(
      try refusal(maker())?.recovery
        == "Put the script beside the manifests' folder, or correct CFBundleExecutable.")
    #expect(Folder.names(in: "\(root)/out/deep") == [])
  }

  @Test func `is not made while a setting has no value`() throws {
    let error = try refusal(maker(identifier: nil))
    #expect(error?.code == .extensionInvalid)
    #expect(error?.message == "\(project)/Manifests/Tea.plist has build settings without a value.")
    #expect(error?.recovery == "Give them values: --set PRODUCT_BUNDLE_IDENTIFIER=VALUE.")
    #expect(error?.cause.count == 1 && Folder.names(in: "\(root)/out/deep") == [])
  }

  @Test func `is not made when its check finds something`() throws {
    let found = ExtensionError(.extensionInvalid, "It is odd.")
    let error = #expect(throws: ExtensionError.self) { try maker().make(target) { _ in throw found } }
    #expect(error?.message == "It is odd." && Folder.names(in: "\(root)/out/deep") == [])
  }

  @Test func `is of one app`() throws {
    try write(Self.manifest("APPL"), "project/Manifests/Coffee.plist")
    let error = #expect(throws: ExtensionError.self) { try maker().name() }
    let manifests = ["Coffee", "Tea"].map { "\(project)/Manifests/\($0).plist" }.joined(separator: ", ")
    #expect(error?.message == "There are manifests of several apps: \(manifests).")
    for name in ["Coffee", "Tea"] { try write(Self.kettle("kettle"), "project/Manifests/\(name).plist") }
    let none = #expect(throws: ExtensionError.self) { try maker().name() }
    #expect(none?.message == "No manifest in \(project) is that of an app.")
    #expect(throws: ExtensionError.self) { try maker("none") }
  }

  @Test func `knows where its scripts come from`() throws {
    try write(Self.kettle("kettle"), "project/Manifests/A.plist")
    try write(Self.kettle("run.py", interpreter: "/bin/sh"), "project/Manifests/B.plist")
    try write(Self.kettle("scripts/bin/run.py", interpreter: "/bin/sh"), "project/Manifests/C.plist")
    try write(Self.kettle("none.py", interpreter: "/bin/sh"), "project/Manifests/D.plist")
    for name in ["kettle", "run.py", "scripts/bin/run.py"] { try write(name, "project/\(name)") }
    let origins = try maker().origins()
    #expect(origins.map(\.copy) == ["PlugIns/B.appex/run.py", "PlugIns/C.appex"])
    #expect(origins.map(\.original) == ["\(project)/run.py", "\(project)/scripts"])
  }

  // MARK: Of a bundle

  private func writeBundle() throws {
    try write(Self.manifest("APPL"), "Tea.app/Info.plist")
    try write("a", "Tea.app/a.txt")
    try write(Self.kettle("kettle"), "Tea.app/PlugIns/Kettle.appex/Info.plist")
    try write("program", "Tea.app/PlugIns/Kettle.appex/kettle", mode: 0o755)
  }

  @Test func `is a copy of a bundle, with its settings filled in`() throws {
    try writeBundle()
    let maker = try maker("Tea.app")
    #expect(try maker.name() == "Tea.app" && maker.origins().map(\.copy) == [""])
    #expect(try maker.origins().map(\.original) == ["\(root)/Tea.app/"])
    try maker.make(target)
    #expect(names("") == ["Info.plist", "PlugIns", "a.txt"] && names() == ["Info.plist", "kettle"])
    #expect(try manifest(target)["CFBundleIdentifier"] == "org.example.tea")
    let inner = try manifest("\(target)/PlugIns/Kettle.appex")
    #expect(inner["CFBundleIdentifier"] == "org.example.tea.Kettle" && inner["CFBundleExecutable"] == "kettle")
    #expect(text("\(root)/Tea.app/Info.plist") == Self.manifest("APPL"))
  }

  @Test func `is never put in the place of its source, or into it`() throws {
    try writeBundle()
    let maker = try maker("Tea.app")
    #expect(try maker.isSource("\(root)/Tea.app") && !maker.isSource("\(root)/Other.app"))
    #expect(try !self.maker().isSource("\(root)/project"))
    for place in ["Tea.app", "Tea.app/PlugIns/Copy.app", "Tea.app/Copy.app"] {
      let error = refusal(maker, "\(root)/\(place)")
      #expect(error?.code == .storeFailed && error?.message == "\(root)/\(place) is the bundle that is copied.")
    }
    #expect(text("\(root)/Tea.app/Info.plist") == Self.manifest("APPL"))
  }
}
