import JSONRPC
import Foundation
import JSON
import Testing

/// `host photo edit` with the sample editor, in its sandbox, on real files.
@Suite(.timeLimit(.minutes(1)))
struct `The photo command` {
  private func write(_ bytes: [UInt8], _ name: String, _ host: HostTool) throws -> String {
    let path = "\(host.folder.path)/\(name)"
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  private func read(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

  private func isClose(_ one: Picture.Colour, _ other: Picture.Colour) -> Bool {
    zip(one, other).allSatisfy { abs(Int($0) - Int($1)) < 24 }
  }

  @Test func `edits the pixels of a JPEG, turned upright, and brings the original back byte for byte`() async throws {
    let host = try HostTool()
    let original = try Picture().jpeg(orientation: 6)
    let path = try write(original, "beach.jpg", host)
    let edit = try await host("photo", "edit", path, "--option", "tone=none", "--option", "brightness=-10", "--json")
    #expect(edit.status == 0, "\(edit.stderr)")
    #expect(try edit.json["outcome"] == "completed")
    #expect(try edit.json["adjustment"]?["formatIdentifier"] == "com.example.adventures.tones")
    let edited = try Picture(jpeg: read(path))
    // Orientation 6: what is stored on its left side is seen at the top.
    #expect((edited.width, edited.height) == (32, 64))
    #expect(isClose(edited.colour(.topRight), Picture.red.map { UInt8(max(0, Int($0) - 12)) }))
    #expect(isClose(edited.colour(.topLeft), Picture.blue.map { UInt8(max(0, Int($0) - 12)) }))
    #expect(isClose(edited.colour(.bottomRight), Picture.green.map { UInt8(max(0, Int($0) - 12)) }))
    let again = try await host("photo", "edit", path, "--option", "tone=sepia")
    #expect(
      again.stderr.contains("The original is kept: “host photo edit \(path) --revert” brings it back."), "\(again)")
    let revert = try await host("photo", "edit", path, "--revert", "--json")
    #expect(try revert.json["reverted"] == true)
    #expect(try read(path) == original)
  }

  @Test func `takes its earlier edit up, from the original`() async throws {
    let host = try HostTool()
    let path = "\(host.folder.path)/caves.png"
    try Picture().writePNG(to: path)
    let original = try read(path)
    #expect(try await host("photo", "edit", path, "--option", "tone=mono").status == 0)
    let mono = try Picture(png: path)
    for corner in Picture.Corner.allCases { #expect(Set(mono.colour(corner)).count == 1) }
    let again = try await host("photo", "edit", path, "--option", "tone=none", "--option", "brightness=2")
    #expect(again.stderr.contains("takes the earlier edit up"))
    // The colours are back: grey could not have given them.
    let colours = try Picture(png: path)
    #expect(isClose(colours.colour(.topLeft), Picture.red))
    let nothing = try await host("photo", "edit", path, "--json")
    #expect(try nothing.json["outcome"] == "unchanged")
    #expect(try await host("photo", "edit", path, "--revert").status == 0)
    #expect(try read(path) == original)
  }

  @Test func `writes elsewhere with -o, and finds the original from there`() async throws {
    let host = try HostTool()
    let original = try Picture().jpeg()
    let path = try write(original, "beach.jpg", host)
    let copy = "\(host.folder.path)/sepia.jpg"
    #expect(try await host("photo", "edit", path, "-o", copy).status == 0)
    #expect(try read(path) == original)
    #expect(try read(copy) != original)
    let moved = "\(host.folder.path)/moved.jpg"
    try FileManager.default.moveItem(atPath: copy, toPath: moved)
    #expect(try await host("photo", "edit", moved, "--revert").status == 0)
    #expect(try read(moved) == original)
  }

  @Test func `edits a photo of some million pixels within the memory of an editor`() async throws {
    let host = try HostTool()
    let path = try write(try Picture(width: 2400, height: 1600).jpeg(), "large.jpg", host)
    let edit = try await host("photo", "edit", path, "--option", "tone=none", "--option", "brightness=5")
    #expect(edit.status == 0, "\(edit.stderr)")
    #expect(try Picture(jpeg: read(path)).width == 2400)
  }

  @Test(
    arguments: [
      (["--option", "tone=blue"], 65, "“blue” is not a tone"), (["--option", "tone"], 64, "is not an option"),
      (["--with", "com.example.adventures.today"], 77, "not for photo editing"),
      (["--with", "com.example.nobody"], 66, "com.example.nobody"), (["--revert"], 1, "was not edited here"),
    ] as [([String], Int32, String)])
  func `refuses what it cannot do and leaves the photo alone`(
    words: [String], status: Int32, message: String
  ) async throws {
    let host = try HostTool()
    let original = try Picture().jpeg()
    let path = try write(original, "beach.jpg", host)
    let output = try await host(["photo", "edit", path] + words)
    #expect(output.status == status)
    #expect(output.stderr.contains(message), "\(output.stderr)")
    #expect(try read(path) == original)
  }

  @Test(arguments: ["", "plain text", "\u{FFFD}"])
  func `refuses a file that is no photo`(content: String) async throws {
    let host = try HostTool()
    let path = try write(Array(content.utf8), "note.jpg", host)
    let output = try await host("photo", "edit", path, "--json")
    #expect(output.status == 1)
    #expect(try output.json["details"]?["reason"] == "mediaTypeUnsupported")
  }

  @Test func `says what is wrong with a photo that is cut short at its head`() async throws {
    let host = try HostTool()
    let bytes = Array(try Picture().jpeg().prefix(40))
    let path = try write(bytes, "cut.jpg", host)
    let output = try await host("photo", "edit", path)
    #expect(output.status == 1)
    #expect(output.stderr.contains("The photo cannot be edited"))
    #expect(try read(path) == bytes)
  }

  @Test func `keeps the photo as it was when the editor dies, writes nothing, or writes a lie`() async throws {
    for body in [
      "if method == \"photo/startContentEditing\": answer({})\nelse: sys.exit(9)",
      "answer({\"output\": None} if \"finish\" in method else {})",
      """
      if method != "photo/finishContentEditing": answer({})
      else:
          path = params["outputDirectory"] + "/out"
          open(directories["scratch"] + "/" + path, "w").write("<html>")
          data = {"formatIdentifier": "x", "formatVersion": "1", "data": "AA=="}
          answer({"output": {"renderedContent": {"path": path, "type": "public.jpeg"}, "adjustmentData": data}})
      """,
    ] {
      let folder = try TemporaryFolder()
      let id = try Script.install("editor", point: "com.apple.photo-editing", in: folder, body)
      let host = try HostTool(folder)
      let original = try Picture().jpeg()
      let path = try write(original, "beach.jpg", host)
      _ = try await host(
        "photo", "edit", path, "--with", id, "--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures)
      #expect(try read(path) == original)
      #expect(!FileManager.default.fileExists(atPath: "\(host.home)/photos/edits"))
    }
  }

  @Test func `leaves the photo alone when it is interrupted`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "slow", point: "com.apple.photo-editing", in: folder,
      """
      if method != "photo/finishContentEditing": answer({})
      else:
          sys.stderr.write("finishing\\n")
          sys.stderr.flush()
      """)
    let host = try HostTool(folder)
    let original = try Picture().jpeg()
    let path = try write(original, "beach.jpg", host)
    let program = try host.start([
      "photo", "edit", path, "--with", id, "--verbose", "--manifests", "\(folder.path)/manifests", "--manifests",
      Build.fixtures,
    ])
    _ = try await program.hear("finishing")
    program.signal(SIGINT)
    #expect(try await program.finish().status == 130)
    #expect(try read(path) == original)
  }

  @Test func `asks before it finishes, and again before work would be lost`() async throws {
    let host = try HostTool()
    let original = try Picture().jpeg()
    let path = try write(original, "beach.jpg", host)
    let cancelling = try host.atTerminal("photo", "edit", path, "--ask", "--option", "tone=mono")
    try await cancelling.answer("Finish the edit?", with: "n")
    try await cancelling.answer("would be lost", with: "n")
    try await cancelling.answer("Finish the edit?", with: "n")
    try await cancelling.answer("would be lost", with: "y")
    let (text, status) = try await cancelling.finish()
    #expect(status == 1)
    #expect(text.contains("The edit was cancelled"), "\(text)")
    #expect(try read(path) == original)
    let finishing = try host.atTerminal("photo", "edit", path, "--ask", "--option", "tone=mono")
    try await finishing.answer("Finish the edit?", with: "y")
    #expect(try await finishing.finish().status == 0)
    #expect(try read(path) != original)
    #expect(try await host("photo", "edit", path, "--ask").status == 64)
  }
}
