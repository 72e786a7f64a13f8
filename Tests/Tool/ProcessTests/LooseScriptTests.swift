import JSONRPC
import Foundation
import JSON
import Testing

@Suite(.enabled(if: Script.isAvailable), .timeLimit(.minutes(2))) struct `A loose manifest` {
  private static let id = "org.example.loose.widget"

  /// Manifests of an app and a widget.
  private static func write(_ folder: TemporaryFolder, executable: String, annex: String) throws {
    try folder.write("widgets/app.plist", ManifestText.bundle("org.example.loose", "none", "APPL"))
    try folder.write(
      "widgets/widget.plist", ManifestText.bundle(id, executable, "XPC!", ManifestText.widget(annex: annex)))
  }

  private static let interpreter = "<key>Interpreter</key><string>/usr/bin/python3</string>"
  private static let shown = ScriptBundle.asynchronous + "run(lambda: 'shown')\n"

  @Test(arguments: ["widgets/hello.py", "Plugins/hello.py"])
  func `finds its script beside itself, and in the folder for plugins`(place: String) async throws {
    let host = try HostTool()
    try Self.write(host.folder, executable: "hello.py", annex: Self.interpreter)
    let options = ["--manifests", "\(host.folder.path)/widgets"]
    let missing = try await host(["list"] + options)
    #expect(missing.stderr.contains("it is in none of"), "\(missing)")
    try host.folder.write(place, Self.shown)
    let today = try await host(["today", Self.id] + options)
    #expect(today.status == 0 && today.stdout.contains("shown"), "\(today)")
  }

  @Test func `shows its script the folder that it is in, and nothing beside that`() async throws {
    let host = try HostTool()
    try Self.write(host.folder, executable: "hello/main.py", annex: Self.interpreter)
    let source = """
      import service, os
      def read(path):
          try:
              return open(path).read()
          except OSError as error:
              return error.strerror
      here = os.path.dirname(os.path.abspath(__file__))
      service.run(lambda: "|".join([read(here + "/word"), read(here + "/../widget.plist"), read(here + "/../other/word")]))
      """
    try host.folder.write("widgets/hello/main.py", source)
    try host.folder.write("widgets/hello/service.py", ScriptBundle.asynchronous)
    try host.folder.write("widgets/hello/word", "mine")
    try host.folder.write("widgets/other/word", "another's")
    let today = try await host("today", Self.id, "--manifests", "\(host.folder.path)/widgets", "--json")
    let words = today.stdout.split(separator: "|").map(String.init)
    #expect(words.count == 3 && words[0].hasSuffix("mine"), "\(today)")
    for word in words.dropFirst() {
      #expect(word.hasPrefix("No such file") || word.hasPrefix("Permission denied"), "\(today)")
    }
  }

  @Test func `tells a script without an interpreter what to write`() async throws {
    let host = try HostTool()
    try Self.write(host.folder, executable: "hello.py", annex: "")
    try host.folder.write("widgets/hello.py", "#!/usr/bin/env python3\n", mode: 0o755)
    let options = ["--manifests", "\(host.folder.path)/widgets"]
    let list = try await host(["list"] + options)
    #expect(list.stderr.contains("Annex.Interpreter is missing"), "\(list)")
    let today = try await host(["today", Self.id] + options)
    #expect(today.status == 65 && today.stderr.contains("<string>/usr/bin/python3</string>"), "\(today)")
  }

  @Test func `names the folder in which its program is built`() async throws {
    let host = try HostTool()
    try Self.write(
      host.folder, executable: "Clock", annex: "<key>Products</key><string>../.build/debug</string>")
    let options = ["--manifests", "\(host.folder.path)/widgets"]
    let outside = try await host(["list"] + options)
    #expect(outside.stderr.contains("outside of the manifest's folder"), "\(outside)")
    try host.folder.write("Package.swift", "")
    let missing = try await host(["list"] + options)
    #expect(missing.stderr.contains(".build/debug/Clock does not exist"), "\(missing)")
    // As a build leaves it: a link to the folder of the machine.
    try host.folder.write(".build/machine/debug/other", "x")
    let build = "\(host.folder.path)/.build"
    try FileManager.default.createSymbolicLink(atPath: "\(build)/debug", withDestinationPath: "machine/debug")
    try FileManager.default.copyItem(atPath: "\(Build.products)/Snoop", toPath: "\(build)/machine/debug/Clock")
    let list = try await host(["list", "-i", Self.id, "--json"] + options)
    #expect(try list.json[0]?["state"] == "enabled", "\(list)")
  }

  @Test func `finds a program where its user says, and not where it says itself`() async throws {
    var host = try HostTool()
    let place = "\(host.folder.path)/elsewhere"
    try Self.write(host.folder, executable: "Clock", annex: "<key>Products</key><string>\(place)</string>")
    try host.folder.write("elsewhere/x", "")
    try FileManager.default.copyItem(atPath: "\(Build.products)/Snoop", toPath: "\(place)/Clock")
    let options = ["--manifests", "\(host.folder.path)/widgets"]
    let refused = try await host(["list"] + options)
    #expect(refused.stderr.contains("leads to \(place), outside of the manifest's folder"), "\(refused)")
    #expect(refused.stderr.contains("ANNEX_PRODUCTS=\(place)"), "\(refused)")
    host.variables = ["ANNEX_PRODUCTS": "/nowhere:\(place)"]
    let list = try await host(["list", "-i", Self.id, "--json"] + options)
    #expect(try list.json[0]?["state"] == "enabled", "\(list)")
  }

  /// Whoever can change it could have any script run.
  @Test func `is believed only while nobody else can change it`() async throws {
    let host = try HostTool()
    try Self.write(host.folder, executable: "hello.py", annex: Self.interpreter)
    try host.folder.write("widgets/hello.py", Self.shown)
    let manifest = "\(host.folder.path)/widgets/widget.plist"
    func today() async throws -> Program.Output {
      try await host("today", Self.id, "--refresh", "--manifests", "\(host.folder.path)/widgets")
    }
    chmod(manifest, 0o666)
    let changed = try await today()
    #expect(changed.status != 0 && changed.stderr.contains("\(manifest) can be changed by other users"), "\(changed)")
    #expect(changed.stderr.contains("chmod go-w \(manifest)"), "\(changed)")
    chmod(manifest, 0o644)
    chmod("\(host.folder.path)/widgets", 0o777)
    let exchanged = try await today()
    #expect(exchanged.status != 0 && exchanged.stderr.contains("through \(host.folder.path)/widgets"), "\(exchanged)")
    chmod("\(host.folder.path)/widgets", 0o755)
    #expect(try await today().status == 0)
  }

  @Test func `with misspelt keys is listed with the near miss, and one with settings with the command`() async throws {
    let host = try HostTool()
    try Self.write(
      host.folder, executable: "hello.py",
      annex: Self.interpreter + "<key>Limit</key><dict><key>MemoryMiB</key><integer>24</integer></dict>")
    try host.folder.write("widgets/hello.py", Self.shown)
    let options = ["--manifests", "\(host.folder.path)/widgets"]
    let list = try await host(["list"] + options)
    #expect(list.stderr.contains("Annex.Limit") && list.stderr.contains("Did you mean Limits?"), "\(list)")
    let json = try await host(["list", "-i", Self.id, "--json"] + options)
    #expect(try json.json[0]?["problems"]?[0]?["recovery"] == "Did you mean Limits?", "\(json)")
    let manifest = try #require(host.folder.contents("widgets/widget.plist"))
    try host.folder.write("widgets/widget.plist", manifest.replacing(Self.id, with: "$(PRODUCT_BUNDLE_IDENTIFIER)"))
    let settings = try await host(["list"] + options)
    #expect(settings.stderr.contains("The build setting PRODUCT_BUNDLE_IDENTIFIER has no value"), "\(settings)")
    #expect(settings.stderr.contains("--set PRODUCT_BUNDLE_IDENTIFIER=VALUE"), "\(settings)")
  }
}
