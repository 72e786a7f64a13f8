import Conformance
import ExtensionHosting
import ExtensionProtocol
import JSON
import JSONRPC
import Testing

/// A point as an embedder defines it, with all that changes hands.
private enum Renderer: PointContract {
  static let definition = ExtensionPointDefinition(
    ExtensionPoint("org.example.renderer"), version: PointVersion(1, 1), shortName: "renderer", role: "a renderer",
    plural: "the renderers",
    calls: [
      .request(Render.self), .request(Convert.self, transfers: [.fileIn("path"), .fileOut("made")]),
      .request(Read.self, transfers: [.streamIn("text"), .streamOut("html")]),
      .request(Preview.self, since: PointVersion(1, 1)), .request(Measure.self, isOptional: true),
      .notification(ThemeDidChange.self),
    ], limits: ExtensionLimits(memoryMiB: 64))

  struct Page: Codable, Sendable { var title: String }
  struct Render: RemoteMethod {
    static let method = "renderer/render"
    struct Result: Codable, Sendable { var html: String }
    var page: Page
    @NonNegative<Int?> var width: Int?
    var tags: [String]
  }
  struct Convert: RemoteMethod {
    static let method = "renderer/convert"
    struct Result: Codable, Sendable { var made: String }
    var path: String
  }
  struct Read: RemoteMethod {
    static let method = "renderer/read"
    struct Result: Codable, Sendable { var html: String }
    var text: String
  }
  struct Preview: RemoteMethod {
    static let method = "renderer/preview"
    typealias Result = Empty
    var page: Page
  }
  struct Measure: RemoteMethod {
    static let method = "renderer/measure"
    typealias Result = Empty
    var page: Page
  }
  struct ThemeDidChange: RemoteNotification {
    static let method = "renderer/themeDidChange"
    var name: String
  }
}

/// An extension of that point in Python.
private func renderer(
  render: String = "answer({'html': params['page']['title']})",
  convert: String = "open(scratch + '/made', 'w').write(open(scratch + '/' + params['path']).read())\n"
    + "answer({'made': 'made'})",
  version: String = "1.1", fits: String = "fits(params, shapes[method])", theme: String = "pass"
) -> String {
  func indented(_ text: String) -> String { text.replacing("\n", with: "\n        ") }
  return """
    import json, sys

    shapes = {
        "renderer/render": {"page": dict, "tags": list}, "renderer/convert": {"path": str},
        "renderer/read": {"text": str}, "renderer/preview": {"page": dict},
    }
    scratch = waiting = None

    def fits(params, shape):
        if not isinstance(params.get("width", 1), (int, type(None))) or params.get("width") is True: return False
        return all(isinstance(params.get(name), kind) for name, kind in shape.items())

    def send(message):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")
        sys.stdout.flush()

    def answer(result): send({"id": message["id"], "result": result})
    def fail(code): send({"id": message["id"], "error": {"code": code, "message": "no"}})

    for line in sys.stdin.buffer:
        message = json.loads(line)
        method, params = message.get("method"), message.get("params", {})
        if method == "initialize":
            scratch = params["directories"]["scratch"]
            answer({"protocolVersion": "1.0", "pointVersion": "\(version)"})
        elif method == "renderer/themeDidChange":
            \(indented(theme))
        elif method == "$/stream/ack" and params["streamID"] == "back":
            send({"method": "$/stream/data", "params": {"streamID": "back", "seq": 1, "data": "PGI+"}})
            send({"method": "$/stream/end", "params": {"streamID": "back"}})
        elif "id" not in message: pass
        elif method in shapes and not (\(fits)): fail(-32602)
        elif method == "renderer/render":
            \(indented(render))
        elif method == "renderer/convert":
            \(indented(convert))
        elif method == "renderer/read":
            send({"method": "$/stream/ack", "params": {"streamID": params["text"], "credit": 65536}})
            send({"method": "$/stream/open", "params": {"streamID": "back"}})
            answer({"html": "back"})
        elif method == "renderer/preview" and "\(version)" != "1.0": answer({})
        elif method == "terminate":
            answer({})
            break
        else: fail(-32601)

    """
}

@Suite(.timeLimit(.minutes(2)), .enabled(if: Script.isAvailable))
struct `The checks of a point's methods` {
  private static let names = ["unknown-method", "params", "result"]

  private func findings(_ script: String, _ only: [String] = names) async throws -> [CheckFinding] {
    try await Trial(script: script, at: Renderer.self).findings(only, timeout: .seconds(20))
  }

  @Test func `come from its definition, and find nothing wrong with a good extension`() async throws {
    let findings = try await findings(renderer())
    #expect(findings.failures.isEmpty, "\(findings.failures)")
    #expect(
      findings.map(\.check.name) == [
        "unknown-method", "params:renderer/convert", "params:renderer/measure", "params:renderer/preview",
        "params:renderer/read", "params:renderer/render", "params:renderer/themeDidChange", "result:renderer/convert",
        "result:renderer/measure", "result:renderer/preview", "result:renderer/read", "result:renderer/render",
      ])
    let outcomes = Dictionary(uniqueKeysWithValues: findings.map { ($0.check.name, $0.outcome) })
    #expect(outcomes["params:renderer/render"] == .passed(remark: "5 wrong params"))
    #expect(outcomes["params:renderer/measure"] == .passed(remark: "it does not serve it"))
    #expect(outcomes["result:renderer/measure"] == .skipped(why: "It does not serve it."))
    let called = #"called with {"page":{"title":"conformance"},"tags":[]}"#
    #expect(outcomes["result:renderer/render"] == .passed(remark: called))
  }

  @Test func `leave out what came with a later version than the extension speaks`() async throws {
    let findings = try await findings(renderer(version: "1.0"), ["params:renderer/preview", "result:renderer/preview"])
    let why = "It came with 1.1 of the point, and the extension speaks 1.0."
    #expect(findings.map(\.outcome) == [.skipped(why: why), .skipped(why: why)])
  }

  @Test(
    arguments: [
      (renderer(fits: "True"), "params:renderer/convert", "before it answered renderer/convert"),
      (renderer(render: "answer({'html': 7})"), "result:renderer/render", "result.html: The value is a number"),
      (renderer(render: "sys.exit(4)"), "result:renderer/render", "exited with status 4"),
      (renderer(convert: "answer({'made': '../passwd'})"), "result:renderer/convert", "cannot be taken"),
      (renderer(convert: "answer({'made': 'nowhere'})"), "result:renderer/convert", "cannot be taken"),
      (renderer(theme: "params['name'] + ''"), "params:renderer/themeDidChange", "exited with status 1"),
    ])
  func `find what is wrong`(script: String, name: String, seen: String) async throws {
    let failures = try await findings(script, [name]).failures
    #expect(failures[name]?.contains(seen) == true, "\(failures)")
  }

  @Test func `say why a result was not looked at`() async throws {
    let refuses = try await findings(renderer(render: "fail(-32000)"), ["result:renderer/render"])
    #expect(refuses.map(\.outcome) == [.skipped(why: "It refused the plainest params: no")])
  }
}

@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `host conform on an announced point` {
  private static let point = """
    <plist version="1.0"><dict><key>org.example.dots</key><dict><key>Annex</key><dict><key>Name</key>
    <string>dots</string><key>Methods</key><dict><key>dots/count</key><dict>
    <key>Params</key><dict><key>type</key><string>object</string><key>properties</key><dict><key>text</key><dict>
    <key>type</key><string>string</string></dict></dict><key>required</key><array><string>text</string></array></dict>
    <key>Result</key><dict><key>type</key><string>object</string><key>properties</key><dict><key>dots</key><dict>
    <key>type</key><string>integer</string></dict></dict><key>required</key><array><string>dots</string></array></dict>
    </dict><key>dots/hear</key><dict><key>Params</key><dict><key>type</key><string>object</string></dict></dict>
    </dict></dict></dict></dict></plist>
    """

  private func outcome(of body: String) async throws -> (status: Int32, outcomes: [String: JSONValue], text: String) {
    let folder = try TemporaryFolder()
    let refuse = "else: send({'id': request['id'], 'error': {'code': -32601, 'message': 'no'}})"
    let id = try Script.install("dots", point: "org.example.dots", in: folder, body + "\n" + refuse)
    try folder.write(
      "manifests/app.plist",
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.fixtures</string>
      <key>CFBundleExecutable</key><string>none</string><key>CFBundlePackageType</key><string>APPL</string></dict></plist>
      """)
    try folder.write("manifests/Points/dots.appextensionpoint", Self.point)
    let tool = try HostTool(folder)
    let listed = try await tool("conform", "--list", "--point", "dots", "--manifests", "\(folder.path)/manifests")
    #expect(listed.stdout.contains("params:dots/count") && listed.stdout.contains("result:dots/count"), "\(listed)")
    let done = try await tool(
      "conform", id, "--manifests", "\(folder.path)/manifests", "--check", "params", "--check", "result",
      "--check", "unknown-method", "--json")
    var outcomes: [String: JSONValue] = [:]
    for check in try done.json["checks"]?.arrayValue ?? [] {
      if let name = check["name"]?.stringValue { outcomes[name] = check["outcome"] }
      if check["outcome"] == "skipped" { #expect(check["seen"] == "Nothing in its params can be wrong.", "\(done)") }
    }
    let hears = outcomes.removeValue(forKey: "params:dots/hear")
    #expect(hears == "skipped", "whatever it is sent: \(done)")
    return (done.status, outcomes, "\(done)")
  }

  @Test func `passes an extension that keeps its schemas`() async throws {
    let good = try await outcome(
      of: """
        if method == "dots/count" and not isinstance(params.get("text"), str):
            send({"id": request["id"], "error": {"code": -32602, "message": "no text"}})
        elif method == "dots/count": answer({"dots": params["text"].count(".")})
        """)
    #expect(good.status == 0, "\(good.text)")
    #expect(
      good.outcomes == ["params:dots/count": "passed", "result:dots/count": "passed", "unknown-method": "passed"])
  }

  @Test func `fails one that does not`() async throws {
    let bad = try await outcome(of: #"if method and method.startswith("dots/"): answer({"dots": "many"})"#)
    #expect(bad.status == 1, "\(bad.text)")
    #expect(bad.outcomes == ["params:dots/count": "failed", "result:dots/count": "failed", "unknown-method": "failed"])
  }
}
