import Testing

@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `A host that is killed` {
  private static let group = "group.com.example.adventures"

  @Test func `has lost no value that an extension was told is written`() async throws {
    let tool = try HostTool()
    try Script.install(
      "writer", in: tool.folder,
      """
      for number in range(1, 100000):
          reply = call("defaults/set", {"suite": "\(Self.group)", "key": "written", "value": number})
          if "error" in reply: raise SystemExit(str(reply))
          print("wrote %d." % number, file=sys.stderr, flush=True)
      """)
    let manifest = try #require(tool.folder.contents("manifests/writer.plist"))
    let groups = """
      <key>Entitlements</key><dict><key>com.apple.security.application-groups</key>
      <array><string>\(Self.group)</string></array></dict>
      """
    try tool.folder.write(
      "manifests/writer.plist",
      manifest.replacing("com.example.fixtures.writer", with: "com.example.adventures.writer")
        .replacing("<key>NSExtension</key><dict>", with: groups + "<key>NSExtension</key><dict>"))
    let places = ["--manifests", Build.samples, "--manifests", "\(tool.folder.path)/manifests"]
    var last = 0
    for _ in 0..<3 {
      let host = try tool.start(["today", "com.example.adventures.writer", "--verbose"] + places)
      _ = try await host.hear("wrote 25.")
      host.signal(9)
      let said = try await host.finish().stderr
      let written = said.split(separator: "wrote ").compactMap { Int($0.prefix { $0.isNumber }) }.max() ?? 0
      #expect(written >= 25)
      let kept = try await tool(["defaults", "read", Self.group, "written"] + places)
      last = Int(kept.stdout.filter(\.isNumber)) ?? -1
      // What it was told last it may not have said yet, and a busy host may not have passed on what it said.
      #expect((written...written + 3).contains(last), "\(kept) after \(written)")
    }
  }
}
