import Foundation
import JSON
import Testing

/// A team with its keys, an index that it publishes, and a user who installs from there.
struct IndexStage {
  static let app = "org.example.tides"
  static let clock = "org.example.tides.clock"

  let host: HostTool
  var folder: TemporaryFolder { host.folder }
  var index: String { "\(folder.path)/index" }
  var keys: [String] { ["--keys", "\(folder.path)/keys", "--passphrase-file", "\(folder.path)/passphrase"] }

  init() throws {
    host = try HostTool()
    try folder.write("passphrase", "correct horse battery\n", mode: 0o600)
  }

  /// Writes and signs an app with a widget in Python that shows its version.
  func bundle(_ version: String, annex: String = "", begins: String = "") async throws -> String {
    let name = "v\(version)/Tides.app"
    func manifest(_ id: String, _ type: String, _ rest: String) -> String {
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(id)</string>
      <key>CFBundlePackageType</key><string>\(type)</string><key>CFBundleVersion</key><string>\(version)</string>
      \(rest)</dict></plist>

      """
    }
    let widget = """
      <key>CFBundleExecutable</key><string>clock</string>
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>com.apple.widget-extension</string></dict>
      <key>Annex</key><dict><key>Interpreter</key><string>\(Script.interpreter)</string>\(annex)</dict>
      """
    try folder.write("\(name)/Info.plist", manifest(Self.app, "APPL", ""))
    try folder.write("\(name)/PlugIns/Clock.appex/Info.plist", manifest(Self.clock, "XPC!", widget))
    try folder.write(
      "\(name)/PlugIns/Clock.appex/clock",
      """
      import json, sys
      \(begins)
      for line in sys.stdin:
          request = json.loads(line)
          method = request.get("method")
          answer = {}
          if method == "initialize":
              answer = {"protocolVersion": "1.0"}
          elif method == "widget/performUpdate":
              answer = {"result": "newData", "view": {"rows": [{"type": "row", "title": "version \(version),"}]}}
          elif method != "terminate":
              continue
          print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": answer}), flush=True)
          if method == "terminate":
              break

      """)
    let path = "\(folder.path)/\(name)"
    for place in ["", "/PlugIns", "/PlugIns/Clock.appex"] { chmod("\(path)\(place)", 0o755) }
    let signed = try await host(["sign", path] + keys)
    #expect(signed.status == 0, "\(signed)")
    return path
  }

  func makeKeys() throws { try TeamKeys.make(in: "\(folder.path)/keys", passphrase: "correct horse battery") }

  @discardableResult
  func publish(_ arguments: [String]) async throws -> JSONValue {
    let published = try await host(["publish", index, "--json"] + arguments + keys)
    #expect(published.status == 0, "\(published)")
    return try published.json
  }

  /// Serves the index while a body runs.
  func withServer(_ body: (_ url: String) async throws -> Void) async throws {
    let server = try host.start(["serve", "index", index, "--port", "0"])
    let heard = try await server.hear("ready http").split(whereSeparator: \.isWhitespace).map(String.init)
    try await body(try #require(heard.drop { $0 != "ready" }.dropFirst().first))
    server.signal(SIGTERM)
    #expect(try await server.finish().status == 0)
  }
}
