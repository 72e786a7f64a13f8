import JSONRPC
import Foundation
import JSON
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct `The registry's commands` {
  private static let clock = "org.example.tides.clock"

  /// An app with a real widget in it; the widget is the sample Clock.
  private func bundle(_ folder: TemporaryFolder, _ name: String = "Tides.app", version: String = "1") throws -> String {
    let groups = """
      <key>Entitlements</key><dict><key>com.apple.security.application-groups</key>
      <array><string>group.com.example.adventures</string></array></dict>
      """
    func manifest(_ id: String, _ executable: String, _ type: String, _ rest: String = "") -> String {
      """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>\(id)</string><key>CFBundleExecutable</key><string>\(executable)</string>
      <key>CFBundlePackageType</key><string>\(type)</string><key>CFBundleVersion</key><string>\(version)</string>
      \(groups)\(rest)</dict></plist>
      """
    }
    let section = """
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>
      <string>com.apple.widget-extension</string></dict>
      """
    try folder.write("\(name)/Info.plist", manifest("org.example.tides", "Tides", "APPL"))
    try folder.write("\(name)/PlugIns/Clock.appex/Info.plist", manifest(Self.clock, "Clock", "XPC!", section))
    for (source, place) in [("Adventures", "Tides"), ("Clock", "PlugIns/Clock.appex/Clock")] {
      try FileManager.default.copyItem(atPath: "\(Build.products)/\(source)", toPath: "\(folder.path)/\(name)/\(place)")
    }
    for place in ["", "/PlugIns", "/PlugIns/Clock.appex", "/Tides", "/PlugIns/Clock.appex/Clock"] {
      chmod("\(folder.path)/\(name)\(place)", 0o755)
    }
    return "\(folder.path)/\(name)"
  }

  @Test func `verify, add, list, run, elect and remove a bundle`() async throws {
    let host = try HostTool()
    let path = try bundle(host.folder)
    let verified = try await host("verify", path, "--json")
    let isAcceptable = try verified.json["acceptable"]
    #expect(verified.status == 0 && isAcceptable == true, "\(verified)")
    let added = try await host("add", path)
    // The group is that of the samples' app.
    let grant = "host permissions \(Self.clock) grant group"
    #expect(added.status == 0 && added.stderr.contains(grant), "\(added)")
    let rows = try await host("list", "-i", Self.clock, "--json").json
    #expect(rows[0]?["state"] == "enabled" && rows[0]?["app"] == "org.example.tides")
    let undecided = try await host("today", Self.clock)
    #expect(undecided.status != 0 && undecided.stderr.contains(grant), "\(undecided)")
    #expect(try await host("permissions", Self.clock, "grant", "group").status == 0)
    let today = try await host("today", Self.clock)
    #expect(today.status == 0 && today.stdout.contains("Visit 1"), "\(today)")
    #expect(try await host("elect", "ignore", Self.clock).stdout.hasPrefix("- \(Self.clock)"))
    let refused = try await host("today", Self.clock)
    #expect(refused.status == 77 && refused.stderr.contains("host elect \(Self.clock) default"))
    #expect(try await host("elect", Self.clock, "default").status == 0)
    #expect(try await host("permissions", "deny", Self.clock, "group").status == 0)
    let inner = try await host("remove", Self.clock)
    #expect(inner.status == 65 && inner.stderr.contains("part of org.example.tides"))
    #expect(try await host("remove", "org.example.tides", "--json").json["removed"] == [.string(path)])
    #expect(try await host("list", "-i", Self.clock, "--json").json == [])
    #expect(FileManager.default.fileExists(atPath: "\(path)/Info.plist"))
  }

  @Test func `refuse a bundle with faults, and name them`() async throws {
    let host = try HostTool()
    let path = try bundle(host.folder)
    chmod("\(path)/PlugIns/Clock.appex/Clock", 0o777)
    let added = try await host("add", path)
    #expect(added.status == 65 && added.stderr.contains("changed by other users"))
    #expect(try await host("verify", path).status == 65)
    #expect(try await host("list", "-i", "org.example.tides", "--json").json == [])
    #expect(try await host("elect", "use", "org.example.tide").status == 66)
  }

  @Test func `show duplicates only when asked`() async throws {
    let host = try HostTool()
    for (name, version) in [("One.app", "1"), ("Two.app", "2")] {
      #expect(try await host("add", bundle(host.folder, name, version: version)).status == 0)
    }
    #expect(try await host("list", "-i", Self.clock, "--json").json.arrayValue?.map { $0["version"] } == ["2"])
    let all = try await host("list", "-A", "-i", Self.clock, "--json").json
    #expect(all.arrayValue?.map { $0["tag"] } == ["=", " "])
    #expect(try await host("list", "-D", "--json").json.arrayValue?.count == 4)
    let point = "NSExtensionPointIdentifier=com.apple.share-services"
    #expect(
      try await host("list", point, "--json").json.arrayValue?.map { $0["point"] } == ["com.apple.share-services"])
  }

  @Test func `stream what changes`() async throws {
    let host = try HostTool()
    let path = try bundle(host.folder)
    let watch = try host.start(["list", "--watch", "--json", "-i", Self.clock])
    #expect(try await host("add", path).status == 0)
    _ = try await watch.hear("{\"event\":\"enabled\",\"id\":\"\(Self.clock)\"")
    #expect(try await host("elect", "ignore", Self.clock).status == 0)
    let heard = try await watch.hear("{\"event\":\"disabled\",\"id\":\"\(Self.clock)\"")
    for line in heard.split(separator: "\n") { #expect(try JSONValue(parsing: String(line))["event"] != nil) }
    #expect(try await host("elect", "default", Self.clock).status == 0)
    try FileManager.default.removeItem(atPath: path)
    _ = try await watch.hear("{\"event\":\"removed\",\"id\":\"\(Self.clock)\"")
    watch.signal(SIGINT)
    let ended = try await watch.finish()
    #expect(ended.status == 130, "\(ended)")
  }

  @Test func `tell types and why something is not offered`() async throws {
    let host = try HostTool()
    let file = try host.folder.write("photo.jpg", "x")
    #expect(try await host("types", file, "--conforms-to", "public.image").status == 0)
    #expect(try await host("types", file, "public.png", "--conforms-to", "public.text").status == 1)
    let types = try await host("types", file, "--json").json
    #expect(types[0]?["type"] == "public.jpeg" && types[0]?["conformsTo"]?[0] == "public.image")
    #expect(try await host("types", "--conforms-to", "public.imag").stderr.contains("public.image"))
    #expect(try await host("types", "--json").json.arrayValue?.count ?? 0 > 100)
    let film = try host.folder.write("film.mov", "x")
    let match = try await host("match", film, "--explain")
    #expect(match.status == 1 && match.stdout.contains("NSExtensionActivationSupportsMovieWithMaxCount"), "\(match)")
  }
}
