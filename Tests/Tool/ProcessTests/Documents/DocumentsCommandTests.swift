import JSON
import Foundation
import JSONRPC
import Testing

/// `host documents` with the sample provider, in its sandbox, and a server of files on the loopback.
@Suite(.timeLimit(.minutes(2)))
struct `The documents command` {
  private static let provider = "com.example.adventures.files"
  private static let picker = "com.example.adventures.picker"
  private static let group = "group.com.example.adventures"

  /// A host whose sample knows a server of files.
  private struct Office {
    let host: HostTool
    let server: Program
    /// The folder that the server serves.
    let remote: String
    var storage: String { "\(host.home)/groups/\(group)/File Provider Storage" }

    init(token: String? = nil, known: String? = nil) async throws {
      host = try HostTool()
      remote = "\(host.folder.path)/remote"
      try FileManager.default.createDirectory(atPath: "\(remote)/trips", withIntermediateDirectories: true)
      let file = if let token { try host.folder.write("token", token + "\n", mode: 0o600) } else { nil as String? }
      server = try host.start(
        ["serve", "files", "--root", remote, "--port", "0"] + (file.map { ["--token-file", $0] } ?? []))
      let line = try await server.hear("ready ")
      let url = line.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
      _ = try await host("defaults", "write", group, "remotefiles.url", url)
      if let known { _ = try await host("defaults", "write", group, "remotefiles.token", known) }
      for id in [provider, picker] { _ = try await host("permissions", id, "grant", "network") }
    }

    func put(_ text: String, at path: String) throws { try host.folder.write("remote/\(path)", text) }
    func remoteText(_ path: String) -> String? { host.folder.contents("remote/\(path)") }
    func isStored(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(storage)/\(path)") }
  }

  @Test func `lists what is on the server, and imports it`() async throws {
    let office = try await Office()
    let text = String(repeating: "A day in the mountains. ", count: 20_000)
    try office.put(text, at: "trips/plan b.txt")
    let list = try await office.host("documents", "list", "trips", "--json")
    #expect(list.status == 0, "\(list.stderr)")
    #expect(try list.json["entries"]?[0]?["identifier"] == "trips/plan b.txt")
    #expect(try list.json["entries"]?[0]?["size"] == .integer(Int64(text.utf8.count)))
    let outer = try await office.host("documents", "list")
    #expect(outer.stdout.contains("trips") && outer.stdout.contains("folder"), "\(outer)")
    let copy = "\(office.host.folder.path)/copy.txt"
    let result = try await office.host("documents", "import", "trips/plan b.txt", "-o", copy)
    #expect(result.status == 0, "\(result.stderr)")
    #expect(result.stderr.contains("%"), "\(result.stderr)")
    #expect(office.host.folder.contents("copy.txt") == text)
    let traced = try await office.host("trace", Self.picker)
    #expect(traced.status == 0 && traced.stdout.contains("picker/list"), "\(traced.stderr)")
    let trace = ["-o", copy, "--trace", "\(office.host.folder.path)/trace.ndjson"]
    #expect(try await office.host(["documents", "import", "trips/plan b.txt"] + trace).status == 0)
    let recorded = office.host.folder.contents("trace.ndjson") ?? ""
    #expect(recorded.contains("provider/startProviding") && recorded.contains("picker/dismissGrantingAccess"))
    #expect(!office.isStored("trips/plan b.txt"))
    #expect(office.isStored("trips/.plan b.txt.placeholder"))
  }

  @Test func `opens a document in a copy, writes back what is changed, and leaves the placeholder`() async throws {
    let office = try await Office()
    try office.put("old", at: "note.txt")
    let edit = try await office.host("documents", "open", "note.txt", "--edit", "printf new >")
    #expect(edit.status == 0, "\(edit.stderr)")
    #expect(office.remoteText("note.txt") == "new")
    #expect(!office.isStored("note.txt"))
    #expect(office.isStored(".note.txt.placeholder"))
    #expect(office.host.folder.names(in: "home/documents").isEmpty)
    let failed = try await office.host("documents", "open", "note.txt", "--edit", "false")
    #expect(failed.status == 1, "\(failed)")
    #expect(office.remoteText("note.txt") == "new")
  }

  @Test func `keeps a document open until its input ends or it is interrupted`() async throws {
    let office = try await Office()
    try office.put("old", at: "note.txt")
    let program = try office.host.shellOpen("documents open note.txt")
    let line = try await program.hear("/note.txt")
    let path = line.split(separator: "\n").last { $0.hasSuffix("/note.txt") }.map(String.init) ?? ""
    #expect(office.isStored("note.txt"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    try Data("by hand".utf8).write(to: URL(filePath: path))
    program.signal(SIGINT)
    let output = try await program.finish()
    #expect(output.status == 0, "\(output)")
    #expect(office.remoteText("note.txt") == "by hand")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `exports a file to the server and keeps it, and moves one`() async throws {
    let office = try await Office()
    let file = try office.host.folder.write("plan.txt", "my plan")
    let export = try await office.host("documents", "export", file, "--to", "trips", "--json")
    #expect(export.status == 0, "\(export.stderr)")
    #expect(try export.json["name"] == "plan.txt")
    #expect(office.remoteText("trips/plan.txt") == "my plan")
    #expect(office.host.folder.contents("plan.txt") == "my plan")
    let collision = try await office.host("documents", "move", file, "--to", "trips")
    #expect(collision.status == 73, "\(collision)")
    #expect(collision.stderr.contains("filenameCollision"))
    #expect(office.host.folder.contents("plan.txt") == "my plan")
    let move = try await office.host("documents", "move", file)
    #expect(move.status == 0, "\(move.stderr)")
    #expect(office.remoteText("plan.txt") == "my plan")
    #expect(office.host.folder.contents("plan.txt") == nil)
  }

  @Test func `says that the server is not there, and keeps the file that was to be moved`() async throws {
    let office = try await Office()
    try office.put("old", at: "note.txt")
    office.server.signal(SIGTERM)
    _ = try await office.server.finish()
    let result = try await office.host("documents", "import", "note.txt", "--json")
    #expect(result.status == 69, "\(result)")
    #expect(try result.json["details"]?["code"] == -1004)
    let file = try office.host.folder.write("plan.txt", "my plan")
    #expect(try await office.host("documents", "move", file).stderr.contains("serverUnreachable"))
    #expect(office.host.folder.contents("plan.txt") == "my plan")
  }

  @Test(arguments: [("right", 0), ("wrong", 77)]) func `signs in`(token: String, status: Int32) async throws {
    let office = try await Office(token: "right", known: token)
    let result = try await office.host("documents", "list")
    #expect(result.status == status, "\(result)")
    #expect(result.stderr.contains("notAuthenticated") == (status != 0))
  }

  @Test func `says what is missing`() async throws {
    let office = try await Office()
    let missing = try await office.host("documents", "import", "nothing.txt")
    #expect(missing.status == 66, "\(missing)")
    #expect(missing.stderr.contains("noSuchItem"))
    let file = try office.host.folder.write("plan.txt", "x")
    let other = try await office.host("documents", "export", file, "--with", Self.provider)
    #expect(other.stderr.contains("not a document picker"), "\(other)")
    let absent = try await office.host("documents", "export", "\(file).not")
    #expect(absent.status == 66)
    let foreign = try await office.host("documents", "import", "plan.txt", "--type", "public.png")
    #expect(foreign.status != 0)
  }

  @Test func `does nothing over the network before the user agrees`() async throws {
    let office = try await Office()
    _ = try await office.host("permissions", Self.picker, "deny", "network")
    let result = try await office.host("documents", "list")
    #expect(result.status == 77, "\(result)")
  }

  @Test func `ends a download that is interrupted`() async throws {
    let office = try await Office()
    try office.put(String(repeating: "x", count: 40 << 20), at: "large.bin")
    let copy = "\(office.host.folder.path)/copy.bin"
    let program = try office.host.start(["documents", "import", "large.bin", "-o", copy])
    _ = try await program.hear("%")
    program.signal(SIGINT)
    let output = try await program.finish()
    #expect(output.status == 130, "\(output)")
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(!office.isStored("large.bin"))
  }

  @Test func `shows a bar at a terminal, and nothing of it is left`() async throws {
    let office = try await Office()
    try office.put(String(repeating: "x", count: 20 << 20), at: "large.bin")
    let copy = "\(office.host.folder.path)/copy.bin"
    let (text, status) = try await office.host.atTerminal("documents", "import", "large.bin", "-o", copy).finish()
    #expect(status == 0, "\(text)")
    let draw = "\u{1b}[K"
    #expect(text.contains("\(draw)[#") && text.contains(" % large.bin"), "\(text)")
    let last = try #require(text.range(of: draw, options: .backwards))
    #expect(text[last.upperBound...].hasPrefix("Wrote "), "\(text)")
    #expect(!text.contains("large.bin: "))
  }

  @Test(arguments: ["--json", "--quiet"])
  func `says nothing of its progress when it is not wanted`(option: String) async throws {
    let office = try await Office()
    try office.put(String(repeating: "x", count: 4 << 20), at: "large.bin")
    let copy = "\(office.host.folder.path)/copy.bin"
    let result = try await office.host("documents", "import", "large.bin", "-o", copy, option)
    #expect(result.status == 0, "\(result)")
    #expect(!result.stderr.contains("%"), "\(result)")
    let shown = try await office.host.atTerminal("documents", "import", "large.bin", "-o", copy, option).finish()
    #expect(shown.status == 0 && !shown.text.contains("%"), "\(shown.text)")
  }

  @Test func `of the server reads and writes below its folder only`() async throws {
    let office = try await Office()
    try office.host.folder.write("secret.txt", "secret")
    try FileManager.default.createSymbolicLink(
      atPath: "\(office.remote)/link.txt", withDestinationPath: "\(office.host.folder.path)/secret.txt")
    for name in ["../secret.txt", "link.txt"] {
      let result = try await office.host("documents", "import", name, "-o", "\(office.host.folder.path)/copy")
      #expect(result.status != 0, "\(name): \(result)")
    }
    #expect(office.host.folder.contents("copy") == nil)
    let list = try await office.host("documents", "list", "--json")
    #expect(!list.stdout.contains("link.txt"))
  }
}

extension HostTool {
  /// Starts a command whose standard input stays open until it ends by itself.
  fileprivate func shellOpen(_ line: String) throws -> Program {
    try Program(
      "/bin/sh", ["-c", "exec \"$0\" \(line) < \"$1\"", "\(Build.products)/host", try Self.silence(folder)],
      environment: environment)
  }

  /// A pipe that nobody writes to and that does not end.
  private static func silence(_ folder: TemporaryFolder) throws -> String {
    let path = "\(folder.path)/silence"
    guard mkfifo(path, 0o600) == 0, open(path, O_RDWR | O_CLOEXEC) >= 0 else {
      throw ProgramFailure(description: "mkfifo: \(errno)")
    }
    return path
  }
}
