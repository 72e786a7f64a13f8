import DataConnectClient
import Foundation
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A cache file of Data Connect` {
  let use = CacheSettings(maxAge: .seconds(1_000))
  let list = DataOperation("listMovies", kind: .query, variables: ["secret": "variable-text"])

  func files(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted().map { "\(path)/\($0)" }
  }

  @Test func `The next client finds what is kept, in files for the owner alone that tell no secret`() async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.file("deep/cache")
    let stub = StubServer(["data": ["n": 1]])
    let server = HTTPServer { stub.answer($0) }
    try await server.withRunning { address in
      var endpoint = DataConnectEndpoint.test(port: address.port, apiKey: "key-text")
      for source in [DataSource.server, .cache] {
        let client = DataConnectClient(DataConnectClient.Configuration(http: .patient, cacheFolder: folder))
        try await #expect(client.execute(list, at: endpoint, as: "ann-text", cache: use).source == source)
        // Another key of the same app is no other place.
        endpoint.apiKey = nil
      }
    }
    let files = files(folder)
    #expect(!files.isEmpty)
    for file in files {
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      for secret in ["ann-text", "variable-text", "key-text", "token-of"] {
        #expect(bytes.range(of: Data(secret.utf8)) == nil && !file.contains(secret))
      }
    }
  }

  @Test func `A damaged file is set aside, and the cache goes on`() async throws {
    let directory = try TemporaryDirectory()
    let reports = Mutex<[String]>([])
    let stub = StubServer(["data": ["n": 1]])
    let server = HTTPServer { stub.answer($0) }
    try await server.withRunning { address in
      let endpoint = DataConnectEndpoint.test(port: address.port)
      var configuration = DataConnectClient.Configuration(http: .patient, cacheFolder: directory.path)
      configuration.report = { text in reports.withLock { $0.append(text) } }
      for _ in 0..<2 {
        let client = DataConnectClient(configuration)
        _ = try await client.execute(list, at: endpoint, cache: use)
        try await #expect(client.execute(list, at: endpoint, cache: use).source == .cache)
        await client.close()
        let file = try #require(files(directory.path).first { $0.hasSuffix(".sqlite") })
        try Data("no database, but longer than its header would be: \(String(repeating: "x", count: 200))".utf8)
          .write(to: URL(fileURLWithPath: file))
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
      }
      let client = DataConnectClient(configuration)
      try await #expect(client.execute(list, at: endpoint, cache: use).source == .server)
      try await #expect(client.execute(list, at: endpoint, cache: use).source == .cache)
    }
    #expect(reports.withLock { $0 }.count == 2)
    // Of the damaged ones the newest alone is left.
    #expect(files(directory.path).filter { $0.contains(".corrupt-") }.count == 1)
  }

  @Test func `A folder that cannot be made is no reason to fail`() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("", to: "file")
    try await StubServer(["data": ["n": 1]]).run(cacheFolder: "\(file)/cache") { client, endpoint in
      for _ in 0..<2 { try await #expect(client.execute(list, at: endpoint, cache: use).data == ["n": 1]) }
    }
  }

  @Test func `What was not used for longest gives way`() async throws {
    let text = JSONValue.string(String(repeating: "x", count: 3_000))
    let stub = StubServer(["data": ["n": text]])
    let time = TestClock()
    try await stub.run(clock: time.clock) { client, endpoint in
      let use = CacheSettings(storage: .memory, maxAge: .seconds(10_000), maxSize: 10_000)
      func query(_ number: Int) -> DataOperation {
        DataOperation("q", kind: .query, variables: ["n": JSONValue(number)])
      }
      for number in 0..<3 {
        _ = try await client.execute(query(number), at: endpoint, cache: use)
        time.pass(100_000)
      }
      try await #expect(client.execute(query(0), at: endpoint, cache: use).source == .cache)
      _ = try await client.execute(query(3), at: endpoint, cache: use)
      try await #expect(client.execute(query(1), at: endpoint, policy: .cacheOnly, cache: use).data == nil)
      for number in [0, 2, 3] {
        try await #expect(
          client.execute(query(number), at: endpoint, policy: .cacheOnly, cache: use).data == ["n": text])
      }
      // What is larger than half of the space is not kept.
      stub.answer(next: .json(["data": ["n": .string(String(repeating: "y", count: 6_000))]]))
      _ = try await client.execute(query(4), at: endpoint, cache: use)
      try await #expect(client.execute(query(4), at: endpoint, policy: .cacheOnly, cache: use).data == nil)
      try await #expect(client.execute(query(3), at: endpoint, policy: .cacheOnly, cache: use).data == ["n": text])
    }
  }
}
