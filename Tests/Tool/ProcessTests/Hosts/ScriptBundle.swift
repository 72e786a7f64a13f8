import Foundation

/// An app that a test writes, with one widget that is a script: a whole program in the widget's bundle.
struct ScriptBundle {
  static let id = "org.example.scripts.widget"
  let folder: TemporaryFolder
  var path: String { "\(folder.path)/Scripts.app" }
  var widget: String { "\(path)/PlugIns/Widget.appex" }

  /// - Parameters:
  ///   - executable: the script, by its path in the widget's bundle.
  ///   - annex: what stands in the manifest's `Annex`, as XML.
  init(in folder: TemporaryFolder, executable: String, annex: String) throws {
    self.folder = folder
    try write("../../Info.plist", ManifestText.bundle("org.example.scripts", "Scripts", "APPL"))
    try write("Info.plist", ManifestText.bundle(Self.id, executable, "XPC!", ManifestText.widget(annex: annex)))
    try FileManager.default.copyItem(atPath: "\(Build.products)/Adventures", toPath: "\(path)/Scripts")
    for place in [path, "\(path)/PlugIns", widget, "\(path)/Scripts"] { chmod(place, 0o755) }
  }

  /// Writes a file of the widget's bundle.
  func write(_ name: String, _ text: String, mode: Int = 0o644) throws {
    try folder.write("Scripts.app/PlugIns/Widget.appex/\(name)", text, mode: mode)
  }

  /// A virtual environment as Python's own module makes it, with a package in it.
  func makeEnvironment(package: String, _ source: String) async throws {
    let made = try await Program(Script.interpreter, ["-m", "venv", "--without-pip", "\(widget)/venv"]).finish()
    guard made.status == 0 else { throw ProgramFailure(description: made.stderr) }
    let libraries = try FileManager.default.contentsOfDirectory(atPath: "\(widget)/venv/lib")
    try write("venv/lib/\(libraries[0])/site-packages/\(package)/__init__.py", source)
  }

  /// A widget in Python that serves requests with `asyncio`, over streams; `show` is called for each update.
  static let asynchronous = """
    import asyncio, json, os, sys

    async def main(show):
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, sys.stdout)
        writer = asyncio.StreamWriter(transport, protocol, None, loop)

        async def answer(request, result):
            writer.write((json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}) + "\\n").encode())
            await writer.drain()

        while line := await reader.readline():
            request = json.loads(line)
            method = request.get("method")
            if method == "initialize":
                await answer(request, {"protocolVersion": "1.0"})
            elif method == "widget/performUpdate":
                await asyncio.sleep(0)
                view = await asyncio.to_thread(show)
                await answer(request, {"result": "newData", "view": view})
            elif method == "terminate":
                await answer(request, {})
                return

    def run(show):
        asyncio.run(main(show))

    """

  /// A widget in Node; `show()` is called for each update.
  static let node = """
    const { show } = require("shown")
    const lines = require("readline").createInterface({ input: process.stdin })
    const send = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }))
    lines.on("line", async (line) => {
      const { id, method } = JSON.parse(line)
      if (method === "initialize") send(id, { protocolVersion: "1.0" })
      else if (method === "widget/performUpdate") send(id, { result: "newData", view: await show() })
      else if (method === "terminate") { send(id, {}); process.exitCode = 0; lines.close() }
    })

    """
}
