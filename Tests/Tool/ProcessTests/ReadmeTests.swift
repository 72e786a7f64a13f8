import JSONRPC
import Foundation
import JSON
import Testing

/// The README's “Try it”, as a reader would: one command after the other, against what `host serve` serves.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Script.isAvailable))
struct `The README` {
  /// The lines of the listing that begins with `host list`.
  private static func commands() throws -> [String] {
    let text = try String(contentsOfFile: "\(Build.package)/README.md", encoding: .utf8)
    let listing = try #require(text.components(separatedBy: "```").first { $0.hasPrefix("sh\nhost list") })
    return listing.split(separator: "\n").dropFirst().map(String.init)
  }

  /// What a command ends with that shows how something fails.
  private static let failing = ["host sandbox run -- /bin/cat /etc/passwd": Int32(1)]

  @Test func `has commands that work`() async throws {
    var host = try HostTool()
    try prepare(host.folder)
    var servers: [Program] = []
    var addresses: [(shown: String, used: String)] = []
    let commands = try Self.commands()
    #expect(commands.count > 15 && commands.allSatisfy { $0.contains("host ") })
    for line in commands {
      let command = String(line.prefix(while: { $0 != "#" })).trimmingCharacters(in: .whitespaces)
      let words = command.split(separator: " ").dropFirst().map(String.init)
      if words.starts(with: ["data", "emulate"]) {
        let folder = "\(Build.package)/\(try #require(words.last))"
        let emulator = try host.start(["data", "emulate", "--dir", folder, "--port", "0", "--ephemeral"])
        let address = try #require(try await emulator.hear("ready http").split(whereSeparator: \.isWhitespace).last)
        host.variables["FIREBASE_DATA_CONNECT_EMULATOR_HOST"] = String(address.dropFirst(7))
        servers.append(emulator)
      } else if words.first == "serve" {
        let root = words[1] == "files" ? ["--root", host.folder.path] : []
        let server = try host.start(words + ["--port", "0"] + root)
        let address = try #require(try await server.hear("ready ").split(whereSeparator: \.isWhitespace).last)
        let shown = try #require(line.split(separator: " ").last)
        addresses.append(("http://127.0.0.1:\(shown)", String(address)))
        if words[1] == "content" {
          try host.folder.write("home/Config.xcconfig", "AEM_SCHEME = http\nAEM_HOST = \(address.dropFirst(7))\n")
        }
        servers.append(server)
      } else if words.contains("watch") {
        let program = try host.start(words)
        _ = try await program.hear("Watching")
        program.signal(SIGINT)
        #expect(try await program.finish().status == 130, "\(command)")
      } else {
        let used = addresses.reduce(command) { $0.replacing($1.shown, with: $1.used) }
        let output = try await host.shell("cd \(host.folder.path) && PATH=\(Build.products):$PATH && \(used)")
        #expect(output.status == Self.failing[command] ?? 0, "\(command)\n\(output)")
      }
    }
    #expect(servers.count == 3)
    for server in servers { server.signal(SIGTERM) }
    for server in servers { #expect(try await server.finish().status == 0) }
  }

  @Test func `says what the manifest of a Share extension needs`() async throws {
    let text = try String(contentsOfFile: "\(Build.package)/README.md", encoding: .utf8)
    let rule = try #require(
      text.components(separatedBy: "```").first { $0.hasPrefix("xml\n<key>NSExtensionAttributes</key>") })
    let folder = try TemporaryFolder()
    let options = ["--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures, "--json"]
    for (name, attributes, state) in [("ruled", String(rule.dropFirst(4)), "enabled"), ("unruled", "", "invalid")] {
      let id = try Script.install(
        name, point: "com.apple.share-services", in: folder, attributes: attributes, "answer({})")
      let output = try await HostTool()(["list", "--id", id] + options)
      #expect(try output.json[0]?["state"] == .string(state), "\(output)")
    }
  }

  /// The files that the commands name.
  private func prepare(_ folder: TemporaryFolder) throws {
    try folder.write("README.md", "# Tides\n\nThe moon pulls.\n")
    try Data(try Picture().jpeg()).write(to: URL(fileURLWithPath: "\(folder.path)/beach.jpg"))
    try folder.write("Some.app/Info.plist", ManifestText.bundle("org.example.some", "Some", "APPL"))
    try folder.write(
      "Some.app/PlugIns/Clock.appex/Info.plist",
      ManifestText.bundle("org.example.some.clock", "Clock", "XPC!", ManifestText.widget()))
    for (source, place) in [("Adventures", "Some"), ("Clock", "PlugIns/Clock.appex/Clock")] {
      let target = "\(folder.path)/Some.app/\(place)"
      try FileManager.default.copyItem(atPath: "\(Build.products)/\(source)", toPath: target)
    }
    for place in ["", "/Some.app", "/Some.app/PlugIns", "/Some.app/PlugIns/Clock.appex"] {
      #expect(chmod("\(folder.path)\(place)", 0o755) == 0)
    }
  }
}
