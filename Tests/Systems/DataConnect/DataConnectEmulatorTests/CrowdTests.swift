import EventLoop
import Files
import Glibc
import HTTPClient
import HTTPServer
import JSON
import TestSupport
import Testing
import WebSocket

@testable import DataConnectEmulator

@Suite(.timeLimit(.minutes(2)))
struct `A thousand clients of the emulator` {
  private static let operations = """
    mutation Rename($id: UUID!, $title: String!) @auth(level: PUBLIC) { movie_update(id: $id, data: {title: $title}) }
    query Get($id: UUID!) @auth(level: PUBLIC) { movie(id: $id) { title } }
    """
  private static let shared = id(9_999)

  private static func id(_ number: Int) -> JSONValue {
    .string(String(repeating: "0", count: 28) + "\(1_000_000 + number)".suffix(4))
  }

  /// So many at one time: the server and all clients are this process.
  private static let count: Int = {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 8_192))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return min(1_000, Int(limit.rlim_cur) / 2 - 200)
  }()

  /// Runs a body for each number, some at one time.
  private func each(_ body: @Sendable @escaping (Int) async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<16 {
        group.addTask { for number in stride(from: lane, to: Self.count, by: 16) { try await body(number) } }
      }
      try await group.waitForAll()
    }
  }

  /// The next frames of a subscription to a row of its own, `1`, and to one that all share, `2`.
  private func titles(_ stream: TestStream, _ requests: Set<String>) async throws -> [String: String] {
    var titles: [String: String] = [:]
    for _ in requests {
      let frame = try #require(try await stream.next())
      let request = try #require(frame["requestId"]?.stringValue)
      #expect(requests.contains(request) && titles[request] == nil)
      titles[request] = frame["data"]?["movie"]?["title"]?.stringValue
    }
    return titles
  }

  @Test func `are all served, hear of every write to their rows, and leave nothing behind`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let rows =
        ((0..<Self.count).map { "{id: \(Self.id($0)), title: \"own\"}" } + ["{id: \(Self.shared), title: \"all\"}"])
        .joined(separator: " ")
      #expect(try await emulator.administer("mutation { movie_insertMany(data: [\(rows)]) }")["errors"] == nil)
      let client = HTTPClient.patient
      let streams = try await withThrowingTaskGroup(of: (Int, TestStream).self) { group in
        for lane in 0..<16 {
          for number in stride(from: lane, to: Self.count, by: 16) {
            group.addTask {
              let stream = try await TestStream(emulator, client: client)
              try await stream.subscribe("1", "Get", ["id": Self.id(number)])
              try await stream.subscribe("2", "Get", ["id": Self.shared])
              #expect(try await titles(stream, ["1", "2"]) == ["1": "own", "2": "all"])
              return (number, stream)
            }
          }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      #expect(emulator.emulator.liveQueries.subscriberCount == 2 * Self.count)
      #expect(emulator.emulator.liveQueries.count == Self.count + 1)
      try await each { number in
        let (id, title) = (Self.id(number), JSONValue.string("new \(number)"))
        _ = try await emulator.mutate("Rename", ["id": id, "title": title]).data()
        #expect(try await emulator.query("Get", ["id": id]).data()["movie"]?["title"] == title)
      }
      // What each hears is of its own row: the shared one was not written.
      try await each { number in
        let stream = try #require(streams[number])
        #expect(try await titles(stream, ["1"]) == ["1": "new \(number)"])
      }
      _ = try await emulator.mutate("Rename", ["id": Self.shared, "title": "for all"]).data()
      try await each { number in
        let stream = try #require(streams[number])
        #expect(try await titles(stream, ["2"]) == ["2": "for all"])
        await stream.socket.close()
      }
      while emulator.emulator.liveQueries.count > 0 { await Task.yield() }
      #expect(emulator.emulator.liveQueries.subscriberCount == 0)
      // Sockets of the server; what calls keep open is a handful.
      while try sockets(of: emulator.address.port) > 100 { await Task.yield() }
      #expect(try await emulator.query("Get", ["id": Self.shared]).data()["movie"]?["title"] == "for all")
    }
  }

  /// How many connections of a port this machine's kernel knows that its server has not closed.
  private func sockets(of port: Int) throws -> Int {
    let text = String(decoding: try #require(File.prefix(of: "/proc/net/tcp", limit: 64 << 20)), as: UTF8.self)
    let local = ":" + String(0x10000 + port, radix: 16, uppercase: true).suffix(4)
    return text.split(separator: "\n").count { line in
      let words = line.split(separator: " ")
      // ESTABLISHED and CLOSE_WAIT.
      return words.count > 3 && words[1].hasSuffix(local) && ["01", "08"].contains(words[3])
    }
  }

  @Test(arguments: [160, 256, 1_024, 4_096, 1 << 20])
  func `may have no more descriptors than there are, those that say nothing among them`(limit: Int) {
    var options = DataConnectEmulator.Options(dumpFolder: "/nowhere")
    let isLowered = options.fit(descriptors: limit)
    let (connections, streams) = (options.mostConnections, options.mostStreams)
    // Those that say nothing, those that are served and those that are told to go; some are left for the emulator.
    let clients = 2 * connections + connections / 8 + streams
    #expect(clients + options.maximumConnections <= limit - 64, "\(connections) \(streams)")
    #expect(isLowered == (limit < 1 << 20) && connections >= 8 && streams >= 8)
  }
}
