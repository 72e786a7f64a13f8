import JSONRPC
import Foundation
import JSON
import Testing

@Suite(.serialized, .timeLimit(.minutes(1))) struct `A recording` {
  private static let clock = "com.example.adventures.clock"

  @Test func `of a widget replays without a difference, and names one with another widget`() async throws {
    let host = try HostTool()
    let file = "\(host.folder.path)/clock.ndjson"
    let traced = try await host("trace", Self.clock, "-o", file)
    #expect(traced.status == 0, "\(traced)")
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
      try JSONValue(parsing: String($0))
    }
    #expect(lines.count >= 9)
    #expect(lines.first?["frame"]?["method"] == "initialize")
    #expect(lines.allSatisfy { $0["extension"]?.stringValue == Self.clock && $0["t"] != nil })
    let same = try await host("replay", file)
    #expect(same.status == 0, "\(same)")
    #expect(same.stdout.contains("as recorded (\(lines.count) frames)"))
    let other = try await host(
      "replay", file, "--json", "--with", "com.example.fixtures.quitter", "--manifests", Build.fixtures, "--manifests",
      Build.samples)
    #expect(other.status == 1, "\(other)")
    #expect(try other.json["same"] == false)
    #expect(try other.json["differences"]?.arrayValue?.isEmpty == false)
  }

  @Test func `of an action is made beside its outcome, and replays`() async throws {
    let host = try HostTool()
    let file = "\(host.folder.path)/digest.ndjson"
    let action = try await host(
      "action", "--with", "com.example.adventures.digest", "--text", "One two.", "--trace", file)
    #expect(action.status == 0, "\(action)")
    #expect(action.stdout != "")
    let replay = try await host("replay", file, "--json")
    #expect(replay.status == 0, "\(replay)")
    #expect(try replay.json["id"] == "com.example.adventures.digest")
  }

  @Test func `of a keyboard replays, and one with another text is told apart`() async throws {
    let host = try HostTool()
    let file = "\(host.folder.path)/keys.ndjson"
    let traced = try await host("trace", "com.example.adventures.keys", "--text", "caf'e", "-o", file)
    #expect(traced.status == 0 && traced.stderr.contains("“Café”"), "\(traced)")
    let same = try await host("replay", file)
    #expect(same.status == 0, "\(same)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try host.folder.write("other.ndjson", text.replacing(#""insertText":"f""#, with: #""insertText":"g""#))
    let other = try await host("replay", "\(host.folder.path)/other.ndjson", "--json")
    #expect(other.status == 1, "\(other)")
    let difference = try #require(try other.json["differences"]?[0])
    #expect(difference["path"] == "result.edits[0].insertText", "\(other)")
    #expect(Program.Output.names(difference).prefix(3) == ["kind", "message", "path"], "\(other)")
    let plain = try await host("replay", "\(host.folder.path)/other.ndjson")
    let kind = difference["kind"]?.stringValue ?? "", message = difference["message"]?.stringValue ?? ""
    #expect(plain.stdout.hasPrefix("\(kind): \(message), at result.edits[0].insertText\n"), "\(plain)")
    let all = try other.json["differences"]?.arrayValue ?? []
    for (sign, name) in [("-", "recorded"), ("+", "replayed")] {
      #expect(plain.stdout.contains("\n  \(sign) ") == all.contains { $0[name] != nil }, "\(name): \(plain)")
    }
    let sum = "com.example.adventures.keys: \(all.count) difference(s).\n"
    #expect(plain.status == 1 && plain.stderr.hasSuffix(sum), "\(plain)")
  }

  @Test func `of a photo editor leaves the photo alone`() async throws {
    let host = try HostTool()
    let photo = "\(host.folder.path)/beach.png"
    try FileManager.default.copyItem(atPath: "\(Build.fixtures)/../Pictures/quarters.png", toPath: photo)
    let before = FileManager.default.contents(atPath: photo)
    let file = "\(host.folder.path)/tones.ndjson"
    let traced = try await host("trace", "com.example.adventures.tones", photo, "-o", file)
    #expect(traced.status == 0, "\(traced)")
    #expect(FileManager.default.contents(atPath: photo) == before)
    #expect(host.folder.contents("tones.ndjson")?.contains("photo/finishContentEditing") == true)
    let edited = try await host("photo", "edit", photo, "--trace", file)
    #expect(edited.status == 0, "\(edited)")
    #expect(host.folder.contents("tones.ndjson")?.contains("photo/outputConsumed") == true)
    #expect(try await host("trace", "com.example.adventures.tones").status == 64)
  }

  @Test func `of a file provider is made beside a document picker`() async throws {
    let refused = try await HostTool()("trace", "com.example.adventures.files")
    #expect(refused.status != 0)
    #expect(refused.stderr.contains("host documents import"), "\(refused)")
  }

  @Test func `goes to standard output alone when no file is named`() async throws {
    let output = try await HostTool()("trace", Self.clock)
    #expect(output.status == 0)
    for line in output.stdout.split(separator: "\n") { _ = try JSONValue(parsing: String(line)) }
  }

  @Test func `that is none, or of nobody, is refused`() async throws {
    let host = try HostTool()
    try host.folder.write("wrong.ndjson", "nonsense\n")
    let wrong = try await host("replay", "\(host.folder.path)/wrong.ndjson")
    #expect(wrong.status == 65, "\(wrong)")
    #expect(wrong.stderr.contains("Line 1"))
    #expect(try await host("replay", "\(host.folder.path)/absent").status == 66)
    let nobody = try await host("trace", "com.example.nobody")
    #expect(nobody.status != 0)
    #expect(nobody.stderr.contains("com.example.nobody"))
    #expect(try await host("trace").status == 64)
  }
}
