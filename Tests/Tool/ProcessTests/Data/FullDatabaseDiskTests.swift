import JSONRPC
import Foundation
import Glibc
import JSON
import Testing

/// The emulator with all its state in a file system of its own, mounted where only it can see it.
private struct FullDisk {
  static let isPossible = geteuid() == 0 && system("unshare -m true 2>/dev/null") == 0
  static let megabytes = 176

  let stage: EmulatorStage

  init() async throws {
    // Data that the server's user cannot get to where it belongs is below /var/lib/annex.
    stage = try await EmulatorStage(
      preparedBy: """
        mkdir -p "$ANNEX_HOME" /var/lib/annex
        mount -t tmpfs -o size=\(Self.megabytes)m,mode=755 none "$ANNEX_HOME"
        mkdir "$ANNEX_HOME/cluster"
        mount --bind "$ANNEX_HOME/cluster" /var/lib/annex
        """)
  }

  /// The folder as the emulator sees it.
  private var folder: String { "/proc/\(stage.emulator.pid)/root\(stage.host.home)" }

  /// Leaves no block of it.
  func fill(_ name: String) throws {
    let descriptor = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    for size in [1 << 20, 1 << 12] {
      let zeros = [UInt8](repeating: 0, count: size)
      while Glibc.write(descriptor, zeros, size) > 0 {}
    }
  }

  func makeRoom() throws {
    for name in ["first", "second"] { unlink("\(folder)/\(name)") }
  }

  /// The process of the server.
  var server: Int32 {
    get throws {
      let data = try #require(FileManager.default.enumerator(atPath: "\(folder)/")?.compactMap { $0 as? String })
      let path = try #require(data.first { $0.hasSuffix("data/postmaster.pid") })
      let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
      return try #require(Int32(text.prefix { $0.isNumber }))
    }
  }

  static let write = """
    mutation($title: String!) @transaction {
      a: movie_insert(data: {title: $title, imageUrl: "a"}) b: movie_insert(data: {title: $title, imageUrl: "b"})
    }
    """

  /// Writes two large rows together.
  func write() async throws -> JSONValue {
    try await stage.execute(Self.write, ["title": .string(Self.text)])
  }

  /// What cannot be made smaller.
  private static let text = (0..<4_000).map { _ in String(UInt64.random(in: 0...(.max)), radix: 36) }.joined()

  var rows: Int64? {
    get async throws {
      try await stage.execute("{ movies { _count } }")["data"]?["movies"]?[0]?["_count"]?.integerValue
    }
  }
}

@Suite(.serialized, .timeLimit(.minutes(2)), .enabled("mounting a file system needs root", { FullDisk.isPossible }))
struct `An emulator whose disk is full` {
  @Test func `refuses writes at their fields, shows what is there, and goes on when there is room`() async throws {
    let disk = try await FullDisk()
    #expect(try await disk.write()["errors"] == nil)
    try disk.fill("first")
    var written: Int64 = 2
    var refused = JSONValue.null
    for _ in 0..<200 {
      refused = try await disk.write()
      if refused["errors"] != nil { break }
      written += 2
    }
    let error = try #require(refused["errors"]?.arrayValue?.first { $0["extensions"]?["code"] == "RESOURCE_EXHAUSTED" })
    #expect(error["message"]?.stringValue?.contains("disk is full") == true, "\(refused)")
    #expect([["a"], ["b"]].contains(error["path"]), "\(refused)")
    #expect(refused["data"] == ["a": .null, "b": .null])
    // However often: more of the log than there is of it ahead.
    for round in 0..<300 {
      #expect(try await disk.write()["errors"] != nil)
      if round % 50 == 0 { #expect(try await disk.rows == written) }
    }
    #expect(try await disk.rows == written)
    try disk.makeRoom()
    for _ in 0..<20 {
      #expect(try await disk.write()["errors"] == nil)
      written += 2
    }
    #expect(try await disk.rows == written)
    disk.stage.emulator.signal(SIGINT)
    let output = try await disk.stage.emulator.finish()
    #expect(!output.stderr.contains("ended"), "\(output.stderr)")
  }

  @Test(arguments: [20, 60]) func `says so when there is no room to make its database, and takes none`(
    megabytes: Int
  ) async throws {
    let host = try HostTool()
    let output = try await host.shell(
      """
      exec /usr/bin/unshare -m --propagation private /bin/sh -c '
        mkdir -p "$ANNEX_HOME" /var/lib/annex
        mount -t tmpfs -o size=\(megabytes)m,mode=755 none "$ANNEX_HOME"
        mkdir "$ANNEX_HOME/cluster"
        mount --bind "$ANNEX_HOME/cluster" /var/lib/annex
        "$0" data emulate --dir \(Build.package)/Plugins/Movies/dataconnect --port 0
        echo "status $?"
        du -sm "$ANNEX_HOME"' $0
      """)
    #expect(output.stdout.hasPrefix("status 69\n"), "\(output)")
    #expect(output.stderr.contains("No space left on device"), "\(output)")
    #expect(try #require(output.stdout.split(separator: "\n").last?.prefix { $0.isNumber }).count == 1, "\(output)")
  }

  @Test func `has its database back, once there is room, when that was killed meanwhile`() async throws {
    let disk = try await FullDisk()
    #expect(try await disk.write()["errors"] == nil)
    let server = try disk.server
    try disk.fill("first")
    kill(server, SIGKILL)
    // What the server gave back when it ended.
    let words = try await disk.stage.emulator.hear("The database has ended")
    #expect(!words.contains("there again"))
    try disk.fill("second")
    try disk.makeRoom()
    _ = try await disk.stage.emulator.hear("The database is there again.")
    #expect(try await disk.rows == 2)
    #expect(try await disk.write()["errors"] == nil)
    #expect(try await disk.rows == 4)
    try await disk.stage.end()
  }
}
