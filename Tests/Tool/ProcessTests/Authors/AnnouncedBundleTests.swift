import Foundation
import Testing

/// What authors do for an extension point that the tool was not built with.
@Suite(.timeLimit(.minutes(2)), .enabled(if: Script.isAvailable))
struct `A project with an announced point` {
  private static let point = """
    <plist version="1.0"><dict><key>org.example.dots</key><dict><key>Annex</key><dict><key>Name</key>
    <string>dots</string><key>Methods</key><dict><key>dots/count</key><dict>
    <key>Params</key><dict><key>type</key><string>object</string><key>properties</key><dict><key>text</key><dict>
    <key>type</key><string>string</string></dict></dict><key>required</key><array><string>text</string></array></dict>
    <key>Result</key><dict><key>type</key><string>object</string></dict></dict></dict></dict></dict></dict></plist>
    """

  private static let counts = """
    if method == "dots/count":
        if isinstance(params.get("text"), str): answer({"dots": params["text"].count(".")})
        else: fail(-32602)
        continue
    """

  private func project() throws -> (host: HostTool, path: String) {
    let host = try HostTool()
    func manifest(_ identifier: String, _ kind: String, _ more: String = "") -> String {
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(identifier)</string>
      <key>CFBundleExecutable</key><string>run.py</string><key>CFBundlePackageType</key><string>\(kind)</string>
      <key>CFBundleVersion</key><string>1</string>\(more)
      <key>Annex</key><dict><key>Interpreter</key><string>\(Script.interpreter)</string></dict></dict></plist>
      """
    }
    let dots = """
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>org.example.dots</string></dict>
      """
    try host.folder.write("project/Manifests/Dotty.plist", manifest("org.example.dotty", "APPL"))
    try host.folder.write("project/Manifests/Counter.plist", manifest("org.example.dotty.counter", "XPC!", dots))
    try host.folder.write("project/Manifests/Points/dots.appextensionpoint", Self.point)
    try host.folder.write(
      "project/run.py", "#!/usr/bin/python3\n" + Quirk(check: "", seen: "", message: Self.counts).script, mode: 0o755)
    return (host, "\(host.folder.path)/project")
  }

  @Test func `becomes a bundle that brings the point along`() async throws {
    let (host, project) = try project()
    let bundle = "\(host.folder.path)/Dotty.app"
    let made = try await host("bundle", project, "-o", bundle)
    #expect(made.status == 0, "\(made)")
    #expect(host.folder.names(in: "Dotty.app/Points") == ["dots.appextensionpoint"])
    #expect(try await host("verify", bundle).status == 0)
    #expect(try await host("add", bundle).status == 0)
    let counted = try await host("call", "org.example.dotty.counter", "count", #"{"text":"a.b."}"#)
    #expect(counted.status == 0 && counted.stdout.contains("2"), "\(counted)")
  }

  @Test func `becomes none when the point is broken`() async throws {
    let (host, project) = try project()
    try host.folder.write(
      "project/Manifests/Points/dots.appextensionpoint",
      Self.point.replacing("<string>dots</string>", with: "<string>today</string>"))
    let made = try await host("bundle", project, "-o", "\(host.folder.path)/Dotty.app")
    #expect(made.status == 65 && made.stderr.contains("dots.appextensionpoint"), "\(made)")
  }

  @Test func `is tried by its schemas while it is developed`() async throws {
    let (host, project) = try project()
    let good = try await host("dev", project, "--once")
    #expect(good.status == 0 && good.stdout.contains("params:dots/count"), "\(good)")
    try host.folder.write(
      "project/run.py",
      "#!/usr/bin/python3\n"
        + Quirk(check: "", seen: "", message: "if method == 'dots/count':\n    answer({})\n    continue").script,
      mode: 0o755)
    let bad = try await host("dev", project, "--once")
    #expect(bad.status == 1 && bad.stdout.contains("Without “text” it answered dots/count"), "\(bad)")
  }
}
