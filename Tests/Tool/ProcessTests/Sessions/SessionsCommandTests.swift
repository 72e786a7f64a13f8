import JSONRPC
import Foundation
import HTTPServer
import JSON
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `host sessions` {
  private func withServer(_ body: (HostTool, String) async throws -> Void) async throws {
    let host = try HostTool()
    let server = HTTPServer { request in
      request.path == "/file"
        ? ServerResponse(body: [UInt8](repeating: 7, count: 100_000)) : ServerResponse(status: 404, text: "no")
    }
    try await server.withRunning { try await body(host, $0.url) }
    await TransferDaemons.end(of: host)
  }

  @Test func `downloads a file and leaves nothing else`() async throws {
    try await withServer { host, url in
      let file = "\(host.folder.path)/got"
      let output = try await host("sessions", "download", "\(url)/file", "-o", file, "--json")
      #expect(output.status == 0, "\(output)")
      #expect(try output.json["bytes"] == .integer(100_000))
      #expect(FileManager.default.contents(atPath: file)?.count == 100_000)
      #expect(try await host("sessions", "list", "--json").stdout == "[]\n")
    }
  }

  @Test func `says what the server answered where it is no success`() async throws {
    try await withServer { host, url in
      let file = try host.folder.write("got", "mine")
      let output = try await host("sessions", "download", "\(url)/none", "-o", file, "--json")
      #expect(output.status == 1, "\(output)")
      #expect(try output.json["status"] == .integer(404))
      let quiet = try await host("sessions", "download", "\(url)/none", "-o", file, "-q")
      #expect(quiet.status == 1 && quiet.stdout == "", "\(quiet)")
      #expect(quiet.stderr.contains("error: \(url)/none answered with status 404 (the server has no such file)."))
      #expect(quiet.stderr.contains("help: Nothing was written."), "\(quiet)")
      #expect(host.folder.contents("got") == "mine")
      let kept = try await host("sessions", "download", "\(url)/none", "-o", file, "--fail-with-body")
      #expect(kept.status == 1 && host.folder.contents("got") != "mine", "\(kept)")
      #expect(host.folder.names(in: "").allSatisfy { !$0.hasSuffix(".part") })
    }
  }

  /// The status of a download, and what it leaves of the file.
  static let edges: [(status: Int, isGood: Bool)] = [(200, true), (299, true), (300, false)]

  @Test func `takes the statuses from 200 to 299 for success, and keeps a body of another one where that is wanted`()
    async throws
  {
    let host = try HostTool()
    let server = HTTPServer { request in
      ServerResponse(status: Int(request.path.split(separator: "/").first ?? "") ?? 404, text: "body")
    }
    try await server.withRunning { address in
      for (status, isGood) in Self.edges {
        let (url, file) = ("\(address.url)/\(status)/x", "\(host.folder.path)/got-\(status)")
        let output = try await host("sessions", "download", url, "-o", file, "--json")
        #expect(output.status == (isGood ? 0 : 1), "\(output)")
        let document = try output.json
        let members = ["taskID", "status", "bytes", "url"] + (isGood ? ["path"] : [])
        #expect(Program.Output.names(document) == members, "\(document)")
        #expect(document["status"] == .integer(Int64(status)) && document["url"] == .string(url), "\(document)")
        #expect(document["path"] == (isGood ? .string(file) : nil))
        #expect(host.folder.contents("got-\(status)") == (isGood ? "body" : nil))
      }
      let file = "\(host.folder.path)/got-300"
      let kept = try await host(
        "sessions", "download", "\(address.url)/300/x", "-o", file, "--json", "--fail-with-body")
      #expect(try kept.status == 1 && kept.json["path"] == .string(file) && kept.json["bytes"] == 4, "\(kept)")
      #expect(host.folder.contents("got-300") == "body")
      // Without -o it has the name in the address, and it is a file as any other.
      let named = try await host.shell(
        "cd '\(host.folder.path)' && umask 027 && \"$0\" sessions download '\(address.url)/200/a.txt?b/c'")
      #expect(named.status == 0 && named.stdout == "", "\(named)")
      #expect(named.stderr.contains("a.txt: 4 bytes in /"), "\(named)")
      #expect(named.stderr.hasSuffix("/a.txt, status 200\n"), "\(named)")
      let mode = try FileManager.default.attributesOfItem(atPath: "\(host.folder.path)/a.txt")[.posixPermissions]
      #expect(mode as? Int == 0o640)
      let sent = try await host("sessions", "upload", file, "\(address.url)/201/x", "--method", "POST", "-H", "A: b")
      #expect(sent.status == 0 && sent.stderr.hasSuffix(", status 201\n"), "\(sent)")
      let gone = try await host("sessions", "upload", file, "\(address.url)/410/x")
      #expect(gone.status == 1 && gone.stderr.contains("answered with status 410 (the file is gone)."), "\(gone)")
      #expect(!gone.stderr.contains("help:"), "\(gone)")
    }
    await TransferDaemons.end(of: host)
  }

  static let misuses: [(words: [String], error: String)] = [
    (["upload", "/etc/hostname", "http://127.0.0.1:1/", "--method", "GET"], "“GET” uploads nothing."),
    (["download", "http://127.0.0.1:1/x", "-H", "novalue"], "“novalue” is not a header field."),
    (["download", "http://127.0.0.1:1/x", "-H", ":x"], "“:x” is not a header field."),
    (["download", "http://127.0.0.1:1/x", "-o", "/no/such/x"], "“/no/such/x” is not a place for a file."),
    (["download", "http://127.0.0.1:1/x", "-o", "/tmp/.."], "“/tmp/..” is not a place for a file."),
    (["download", "http://a@127.0.0.1:1/x"], "is not an http or https URL without a user name."),
  ]

  @Test(arguments: misuses) func `begins nothing that cannot be meant`(words: [String], error: String) async throws {
    let output = try await HostTool()(["sessions"] + words)
    #expect(output.status == 64 && output.stderr.contains(error), "\(output)")
  }

  @Test func `refuses a file that is not the one that was meant`() async throws {
    try await withServer { host, url in
      let file = "\(host.folder.path)/got"
      let wrong = String(repeating: "00", count: 32)
      let output = try await host("sessions", "download", "\(url)/file", "-o", file, "--sha256", wrong)
      #expect(output.status == 69 || output.status == 1, "\(output)")
      #expect(output.stderr.contains("checksum") || output.stderr.contains("SHA-256"), "\(output)")
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }

  @Test(arguments: [
    ["sessions", "show", "none"], ["sessions", "cancel", "none"], ["sessions", "download", "ftp://a/b"],
    ["sessions", "upload", "/nothing", "http://127.0.0.1:1/"],
  ])
  func `refuses what cannot be meant, with advice`(arguments: [String]) async throws {
    let output = try await HostTool()(arguments)
    #expect(output.status != 0)
    #expect(output.stderr.hasPrefix("error: ") && output.stderr.contains("help: "), "\(output)")
  }

  @Test func `ends its daemon when there is nothing to do`() async throws {
    let ended = try await HostTool()("sessions", "run")
    #expect(ended.status == 0 && ended.stderr.isEmpty, "\(ended)")
  }

  @Test func `keeps a detached transfer, which can be looked at and cancelled`() async throws {
    let host = try HostTool()
    // Nobody listens there: it waits.
    let begun = try await host(
      "sessions", "download", "http://127.0.0.1:1/x", "--detach", "-o", "\(host.folder.path)/x")
    #expect(begun.status == 0, "\(begun)")
    let name = begun.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
    let shown = try await host("sessions", "show", name, "--json")
    #expect(try shown.json["tasks"]?[0]?["state"] == .string("waiting"), "\(shown)")
    let missed = try await host("sessions", "cancel", name, "0")
    #expect(missed.status == 64 && missed.stderr.contains("has no task “0”."), "\(missed)")
    let cancelled = try await host("sessions", "cancel", name, "--json")
    #expect(try cancelled.json["cancelled"]?.arrayValue?.count == 1, "\(cancelled)")
    #expect(try await host("sessions", "list", "--json").json == [])
    await TransferDaemons.end(of: host)
  }

  @Test func `forgets a session that its user removes, with what it has left to do`() async throws {
    let host = try HostTool()
    let begun = try await host(
      "sessions", "download", "http://127.0.0.1:1/x", "--detach", "-o", "\(host.folder.path)/x")
    let name = begun.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
    let removed = try await host("sessions", "remove", name)
    #expect(removed.status == 0 && removed.stderr == "Removed \(name).\n", "\(removed)")
    #expect(try await host("sessions", "list", "--json").json == [])
    #expect(try await host("sessions", "remove", name).status != 0)
    await TransferDaemons.end(of: host)
  }
}
