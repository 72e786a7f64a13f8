import JSONRPC
import JSON
import Testing

/// Extensions at a point that the tool was not built with, and those that it was built with.
@Suite(.serialized, .timeLimit(.minutes(2))) struct `A call of any method` {
  private static let clock = "com.example.adventures.clock"
  private static let update = #"{"requestID":"r1","reason":"visible","displayMode":"compact"}"#

  private static let point = """
    <plist version="1.0"><dict><key>org.example.dots</key><dict><key>Annex</key><dict>
    <key>Name</key><string>dots</string><key>Version</key><string>1.1</string>
    <key>Methods</key><dict>
    <key>dots/count</key><dict>
    <key>Params</key><dict><key>type</key><string>object</string>
    <key>properties</key><dict><key>text</key><dict><key>type</key><string>string</string></dict></dict>
    <key>required</key><array><string>text</string></array></dict>
    <key>Result</key><dict><key>type</key><string>object</string>
    <key>properties</key><dict><key>dots</key><dict><key>type</key><string>integer</string></dict></dict>
    <key>required</key><array><string>dots</string></array></dict></dict>
    <key>dots/read</key><dict>
    <key>Params</key><dict><key>type</key><string>object</string>
    <key>required</key><array><string>path</string></array></dict>
    <key>Result</key><dict><key>type</key><string>object</string></dict>
    <key>Transfers</key><array>
    <dict><key>Kind</key><string>fileIn</string><key>Member</key><string>path</string></dict>
    <dict><key>Kind</key><string>fileOut</string><key>Member</key><string>made</string></dict></array></dict>
    <key>dots/fill</key><dict>
    <key>Params</key><dict><key>type</key><string>object</string>
    <key>required</key><array><string>output</string></array></dict>
    <key>Result</key><dict><key>type</key><string>object</string></dict>
    <key>Transfers</key><array>
    <dict><key>Kind</key><string>fileIn</string><key>Member</key><string>input.path</string></dict>
    <dict><key>Kind</key><string>folderIn</string><key>Member</key><string>output.folder</string></dict>
    <dict><key>Kind</key><string>fileOut</string><key>Member</key><string>made.path</string></dict></array></dict>
    <key>dots/tell</key><dict><key>Result</key><true/>
    <key>Transfers</key><array>
    <dict><key>Kind</key><string>streamIn</string><key>Member</key><string>stream</string></dict>
    <dict><key>Kind</key><string>streamOut</string><key>Member</key><string>back</string></dict></array></dict>
    <key>dots/hear</key><dict/>
    </dict></dict></dict></dict></plist>
    """

  private static let body = """
    if method == "dots/count":
        answer({"dots": params["text"].count(".")} if params["text"] != "wrong" else {"dots": "many"})
    elif method == "dots/read":
        text = open(directories["scratch"] + "/" + params["path"]).read()
        with open(directories["scratch"] + "/made.txt", "w") as made: made.write(text.upper())
        answer({"made": "made.txt"})
    elif method == "dots/fill":
        made = params["output"]["folder"] + "/made.txt"
        text = open(directories["scratch"] + "/" + params["input"]["path"]).read()
        with open(directories["scratch"] + "/" + made, "w") as file: file.write(text[::-1])
        answer({"made": {"path": made}})
    elif method == "dots/tell":
        send({"method": "$/stream/ack", "params": {"streamID": params["stream"], "credit": 65536}})
        import base64
        got = ""
        while True:
            message = json.loads(sys.stdin.readline())
            if message.get("method") == "$/stream/data": got += base64.b64decode(message["params"]["data"]).decode()
            if message.get("method") == "$/stream/end": break
        send({"method": "$/stream/open", "params": {"streamID": "b"}})
        answer({"back": "b"})
        while True:
            message = json.loads(sys.stdin.readline())
            if message.get("method") == "$/stream/ack": break
        data = base64.b64encode(got[::-1].encode()).decode()
        send({"method": "$/stream/data", "params": {"streamID": "b", "seq": 1, "data": data}})
        send({"method": "$/stream/end", "params": {"streamID": "b"}})
    else:
        send({"id": request["id"], "error": {"code": -32601, "message": "no " + method}})
    """

  /// A tool with an extension of the announced point.
  private func dots() throws -> (host: HostTool, id: String, manifests: String) {
    let folder = try TemporaryFolder()
    let id = try Script.install("dots", point: "org.example.dots", in: folder, Self.body)
    try folder.write(
      "manifests/app.plist",
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.fixtures</string>
      <key>CFBundleExecutable</key><string>none</string><key>CFBundlePackageType</key><string>APPL</string></dict></plist>
      """)
    try folder.write("manifests/Points/dots.appextensionpoint", Self.point)
    return (try HostTool(folder), id, "\(folder.path)/manifests")
  }

  @Test func `runs a widget by its raw method, whose params and result are checked`() async throws {
    let host = try HostTool()
    let done = try await host("call", Self.clock, "performUpdate", Self.update, "--json")
    #expect(done.status == 0, "\(done)")
    #expect(try done.json["method"] == "widget/performUpdate")
    #expect(try done.json["result"]?["result"] == "newData")
    let plain = try await host("call", Self.clock, "widget/performUpdate", "-", input: Self.update)
    #expect(plain.status == 0 && plain.stdout.contains("\"newData\""), "\(plain)")
    let wrong = try await host("call", Self.clock, "performUpdate", #"{"requestID":1,"reason":"visible"}"#, "--json")
    #expect(wrong.status == 65, "\(wrong)")
    #expect(
      try wrong.json["details"]?["problems"]?.arrayValue?.compactMap { $0["path"]?.stringValue }
        == ["params.displayMode", "params.requestID"])
    #expect(try await host("call", Self.clock, "performUpdate", "{").status == 65)
    #expect(try await host("call", Self.clock, "performUpdate", "[]").status == 65)
    let unknown = try await host("call", Self.clock, "performUpdat", Self.update)
    #expect(unknown.status == 64 && unknown.stderr.contains("Did you mean widget/performUpdate?"), "\(unknown)")
    let foreign = try await host("call", Self.clock, "setHasContent", "{}")
    #expect(foreign.status == 64 && foreign.stderr.contains("extensions call"), "\(foreign)")
    #expect(try await host("call", "com.example.none", "performUpdate").status == 66)
    #expect(try await host("call", Self.clock, "viewWillAppear", #"{"requestID":"r1"}"#).status == 0)
  }

  @Test func `knows an announced point in every command`() async throws {
    let (host, id, manifests) = try dots()
    let list = try await host("list", "--manifests", manifests, "--point", "dots", "--json")
    #expect(list.status == 0, "\(list)")
    #expect(try list.json.arrayValue?.map { $0["state"] } == ["enabled"], "\(list)")
    let points = try await host("points", "--manifests", manifests, "--json")
    let found = try points.json["points"]?.arrayValue?.first { $0["name"] == "dots" }
    #expect(found?["version"] == "1.1" && found?["extensions"] == [.string(id)], "\(points)")
    #expect(found?["from"]?.stringValue?.hasSuffix("Points/dots.appextensionpoint") == true)
    let shown = try await host("points", "dots", "--manifests", manifests)
    #expect(shown.status == 0 && shown.stdout.contains("dots/count") && shown.stdout.contains("text"), "\(shown)")
    let confined = try await host("sandbox", "run", "--point", "dots", "--manifests", manifests, "--", "/bin/true")
    #expect(confined.status == 0, "\(confined)")
    #expect(try await host("list", "--point", "dots").status == 64)
  }

  @Test func `is described by its point, for people and for programs`() async throws {
    let (host, id, manifests) = try dots()
    let shown = try await host("points", "show", "dots", "--manifests", manifests, "--json")
    let document = try shown.json
    #expect(shown.status == 0 && shown.stderr == "", "\(shown)")
    let members = ["name", "identifier", "version", "from", "extensions", "prefix", "memoryMiB", "takesItems"]
    #expect(Array(Program.Output.names(document).prefix(8)) == members, "\(shown)")
    #expect(
      document["identifier"] == "org.example.dots" && document["prefix"] == "dots" && document["version"] == "1.1")
    #expect(document["extensions"] == [.string(id)] && document["takesItems"] == false)
    let methods = document["methods"]?.arrayValue ?? []
    #expect(methods.map { $0["method"] } == ["dots/count", "dots/fill", "dots/hear", "dots/read", "dots/tell"])
    #expect(Program.Output.names(methods.first) == ["method", "caller", "kind", "params", "result"], "\(shown)")
    #expect(methods.first?["kind"] == "request" && methods.first?["caller"] == "host", "\(shown)")
    #expect(Program.Output.names(methods[2]) == ["method", "caller", "kind", "params"], "it has no result: \(shown)")
    #expect(methods[2]["kind"] == "notification" && methods[0]["result"]?["required"] == ["dots"], "\(shown)")
    let text = try await host("points", "show", "dots", "--manifests", manifests)
    let lines = text.stdout.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(text.status == 0 && lines.first == "dots 1.1, org.example.dots", "\(text)")
    #expect(lines.contains("memory \(document["memoryMiB"]?.integerValue ?? 0) MiB"), "\(text)")
    #expect(lines.contains("extensions \(id)") && lines.contains("METHOD CALLED BY KIND PARAMS"), "\(text)")
    #expect(lines.contains("dots/count host request text"), "\(text)")
    #expect(lines.contains("dots/hear host notification -"), "\(text)")
    let today = try await host("points", "today").stdout
    #expect(today.contains("maxSize?") && today.contains("requestID") && !today.contains("requestID?"), "\(today)")
    let file = "\(host.folder.path)/dots.appextensionpoint"
    let words = ["points", "export", "dots", "--manifests", manifests]
    let refused = try await host(words + ["--json"])
    #expect(refused.status == 64 && refused.stderr == "", "\(refused)")
    let written = try await host(words + ["-o", file, "--json"])
    #expect(written.status == 0 && host.folder.contents("dots.appextensionpoint")?.contains("dots/count") == true)
    #expect(try written.json == ["file": .string(file)])
    #expect(try await host(words + ["-o", file]).stdout == "")
    let unknown = try await host("points", "show", "dots")
    #expect(unknown.status == 64 && unknown.stderr.contains("“dots” is not an extension point."), "\(unknown)")
  }

  @Test func `checks what an extension of an announced point answers`() async throws {
    let (host, id, manifests) = try dots()
    let counted = try await host("call", id, "count", #"{"text":"a.b."}"#, "--manifests", manifests, "--json")
    #expect(counted.status == 0, "\(counted)")
    #expect(try counted.json["result"] == ["dots": 2])
    let wrong = try await host("call", id, "count", #"{"text":"wrong"}"#, "--manifests", manifests)
    #expect(
      wrong.status == 1 && wrong.stderr.contains("result.dots: The value is a string, not an integer."), "\(wrong)")
    let missing = try await host("call", id, "count", "--manifests", manifests)
    #expect(missing.status == 65 && missing.stderr.contains("params.text"), "\(missing)")
    let heard = try await host("call", id, "hear", "--manifests", manifests)
    #expect(heard.status == 0 && heard.stderr.contains("was sent"), "\(heard)")
  }

  @Test func `passes files and streams, and takes those that come back`() async throws {
    let (host, id, manifests) = try dots()
    let input = try host.folder.write("input.txt", "one. two.")
    let made = "\(host.folder.path)/made.txt"
    let read = try await host(
      "call", id, "read", "--file", "path=\(input)", "-o", made, "--manifests", manifests, "--json")
    #expect(read.status == 0, "\(read)")
    #expect(host.folder.contents("made.txt") == "ONE. TWO.")
    #expect(try read.json["file"] == .string(made))
    let filled = try await host(
      "call", id, "fill", "--file", "input.path=\(input)", "--folder", "output.folder", "--manifests", manifests)
    #expect(filled.status == 0 && filled.stdout == ".owt .eno", "\(filled)")
    #expect(try await host("call", id, "fill", "--manifests", manifests).status == 65)
    let told = try await host("call", id, "tell", "--stream", "stream=\(input)", "--manifests", manifests)
    #expect(told.status == 0 && told.stdout == ".owt .eno", "\(told)")
    #expect(try await host("call", id, "tell", "--manifests", manifests, "--json").status == 64)
    #expect(try await host("call", id, "read", "--file", "path", "--manifests", manifests).status == 64)
  }

  @Test func `of a point whose file is broken is refused, and the file is named with the place`() async throws {
    let (host, id, manifests) = try dots()
    try host.folder.write(
      "manifests/Points/dots.appextensionpoint",
      Self.point.replacing("<string>dots</string>", with: "<string>today</string>"))
    let points = try await host("points", "--manifests", manifests)
    #expect(points.status == 65, "\(points)")
    #expect(points.stderr.contains("dots.appextensionpoint:2: error: [\"org.example.dots\"].Annex.Name:"), "\(points)")
    let call = try await host("call", id, "count", "{}", "--manifests", manifests)
    #expect(call.status == 65 && call.stderr.contains("org.example.dots"), "\(call)")
  }

  @Test func `is possible with a point that was exported`() async throws {
    let host = try HostTool()
    let file = "\(host.folder.path)/today.appextensionpoint"
    #expect(try await host("points", "export", "today", "-o", file).status == 0)
    let text = try #require(host.folder.contents("today.appextensionpoint"))
    #expect(text.contains("<key>widget/performUpdate</key>"))
    try host.folder.write("home/points/today.appextensionpoint", text)
    let points = try await host("points")
    #expect(points.status == 0 && points.stderr.isEmpty, "\(points)")
    #expect(try await host("points", "export", "today").stdout == text)
  }
}
