import Foundation
import Testing

/// The page at a Unix socket, asked by curl as a proxy asks.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct `The page at a socket` {
  /// A page, and what curl has found of it.
  private struct Served {
    let host: HostTool
    let program: Program
    let path: String
    let address: String

    init(_ more: [String] = []) async throws {
      host = try HostTool()
      path = "\(host.folder.path)/page.sock"
      program = try host.start(
        ["ui", "--socket", path, "--consent", "deny", "--manifests", Build.samples] + more, input: .null)
      let line = try await program.hear("\n")
      let match = try #require(line.firstMatch(of: /ready (https?:\/\/[a-z.]+)\/#([0-9a-f]{64})\n/), "\(line)")
      (address, token) = (String(match.output.1), String(match.output.2))
    }

    let token: String

    /// The head and the body of an answer.
    func ask(_ path: String, _ words: [String] = []) async throws -> String {
      let curl = ["-s", "-i", "--max-time", "30", "--unix-socket", self.path, "http://localhost\(path)"]
      let output = try await Program("/usr/bin/curl", curl + words).finish()
      #expect(output.status == 0, "\(output)")
      return output.stdout
    }

    func status(_ path: String, _ words: [String] = []) async throws -> String {
      try await ask(path, words).split(separator: " ").dropFirst().first.map(String.init) ?? "none"
    }
  }

  @Test func `opens once for its code, and for nobody from another page`() async throws {
    let page = try await Served()
    #expect(page.address == "http://localhost")
    let mode = try FileManager.default.attributesOfItem(atPath: page.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let token = ["-d", "token=\(page.token)"]
    #expect(try await page.status("/enter", token + ["-H", "Host: evil.example"]) == "421")
    #expect(try await page.status("/enter", token + ["-H", "Origin: https://evil.example"]) == "403")
    let entered = try await page.ask("/enter", token + ["-H", "Origin: http://localhost"])
    let found = try #require(
      entered.firstMatch(
        of: /Set-Cookie: (annex-page=[0-9a-f]{64}); Path=(\/[0-9a-f]{32}\/); HttpOnly; SameSite=Strict\s/),
      "\(entered)")
    let (cookie, folder) = (["-b", String(found.output.1)], String(found.output.2))
    #expect(try await page.status("/enter", token) == "403", "the code is spent")
    #expect(try await page.status("\(folder)today") == "403")
    let today = try await page.ask("\(folder)today", cookie)
    #expect(today.contains("200 OK") && today.contains("<h1>Today</h1>"))
    let form = try #require(today.firstMatch(of: /data-form="([0-9a-f]{64})"/)).output.1
    let update = cookie + ["-d", "do=update&id=com.example.adventures.visits&form=\(form)"]
    #expect(try await page.status("\(folder)today", update + ["-H", "Origin: http://127.0.0.1:80"]) == "403")
    #expect(try await page.status("\(folder)today", update + ["-H", "Sec-Fetch-Site: cross-site"]) == "403")
    #expect(try await page.status("\(folder)today", update + ["-H", "Origin: http://localhost"]) == "303")
    page.program.signal(SIGINT)
    _ = try await page.program.finish()
    #expect(!FileManager.default.fileExists(atPath: page.path))
  }

  @Test func `is shown by a proxy under a name of its own`() async throws {
    let page = try await Served(["--origin", "https://page.example.com/"])
    #expect(page.address == "https://page.example.com")
    let token = ["-d", "token=\(page.token)"]
    #expect(try await page.status("/enter", token + ["-H", "Origin: http://page.example.com"]) == "403")
    let entered = try await page.ask(
      "/enter", token + ["-H", "Host: page.example.com", "-H", "Origin: https://page.example.com"])
    #expect(entered.contains("303 See Other") && entered.contains("HttpOnly; SameSite=Strict; Secure\r"), "\(entered)")
  }

  @Test func `replaces no file, and no socket at which somebody listens`() async throws {
    let page = try await Served()
    let second = try await page.host("ui", "--socket", page.path)
    #expect(second.status != 0 && second.stderr.contains("Another program listens at"), "\(second)")
    let file = try page.host.folder.write("file", "mine")
    let refused = try await page.host("ui", "--socket", file)
    #expect(refused.status != 0 && refused.stderr.contains("is no socket of this user"), "\(refused)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    for words in [["--socket", "a", "--port", "1"], ["--origin", "https://a.example"]] {
      #expect(try await page.host(["ui"] + words).status == 64, "\(words)")
    }
    #expect(try await page.host("ui", "--socket", "a.sock", "--origin", "no origin").status != 0)
    page.program.signal(SIGKILL)
    _ = try await page.program.finish()
    #expect(FileManager.default.fileExists(atPath: page.path), "nobody could remove it")
    let next = try page.host.start(["ui", "--socket", page.path], input: .null)
    _ = try await next.hear("ready http://localhost/#")
  }
}
