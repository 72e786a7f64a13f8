import MeasuredHost
import BenchmarkResults
import CTransferFloor
import EventLoop
import Files
import Glibc
import HTTPClient
import Transfers

extension Workload {
  /// One large file down and up, and many small ones, beside libcurl called from C, which syncs a row for each small file.
  static let transfers = [
    Workload(
      name: "transfer-down",
      summary: "A file of 1 GiB from a local server into a container, its part file and journal synced",
      unit: .megabytesPerSecond, count: 1024
    ) { bench, count in
      try await TransferBench(bench).large(mebibytes: count, isUpload: false)
    } floor: { bench, count in
      try TransferBench.floor(bench, mebibytes: count, isUpload: false)
    },
    Workload(
      name: "transfer-up", summary: "A file of 1 GiB to a local server; the copy that is pinned first does not count",
      unit: .megabytesPerSecond, count: 1024
    ) { bench, count in
      try await TransferBench(bench).large(mebibytes: count, isUpload: true)
    } floor: { bench, count in
      try TransferBench.floor(bench, mebibytes: count, isUpload: true)
    },
    Workload(
      name: "transfer-small",
      summary: "Files of 4 KiB from a local server, eight at a time, each synced in the journal",
      unit: .requestsPerSecond, count: 1000
    ) { bench, count in
      try await TransferBench(bench).small(count)
    } floor: { bench, count in
      try TransferBench.withServer { url in
        let folder = "\(bench.folder)/small-floor"
        try Folder.make(folder)
        for ending in ["", "-wal", "-shm"] { File.remove("\(bench.folder)/small.sqlite\(ending)") }
        return try TransferBench.timed(count) {
          transfer_floor_small("\(url)/4096", folder, "\(bench.folder)/small.sqlite", Int32(count), 8)
        }
      }
    },
  ]
}

/// A journal and a runner for one round.
private struct TransferBench {
  private static let key = SessionKey(app: "com.example.bench", identifier: "transfers")

  private let folder: String
  private let journal: TransferJournal
  private let runner: TransferRunner
  private let loop = EventLoop.onThread(name: "bench-transfers")

  init(_ bench: Bench) async throws {
    folder = "\(bench.folder)/transfers-\(UInt32.random(in: 0 ... .max))"
    try Folder.make("\(folder)/container")
    journal = TransferJournal(TransferJournal.Options(folder: "\(folder)/journal"))
    var record = SessionRecord(
      key: Self.key, owner: Self.key.app, epoch: 1, group: "group", container: "\(folder)/container")
    record.configuration.maximumConnectionsPerHost = 8
    _ = try await journal.open(record)
    var configuration = HTTPClient.Configuration()
    configuration.timeout = nil
    let loop = loop
    let options = TransferRunner.Options(sleep: { try await loop.sleep(for: $0) }) { _, _, _ in
      .allowed(reaches: nil)
    }
    runner = TransferRunner(journal, client: HTTPClient(configuration: configuration), options: options)
  }

  func large(mebibytes: Int, isUpload: Bool) async throws -> Reading {
    defer { end() }
    return try await Self.withServer { url in
      if isUpload {
        let source = try Self.file(in: folder, mebibytes: mebibytes)
        defer { close(source) }
        try await add(TransferRequest(url: "\(url)/0", method: "PUT"), .upload(descriptor: source))
      } else {
        try await add(TransferRequest(url: "\(url)/\(mebibytes << 20)"), .download(destination: "large"))
      }
      return Reading(Double(mebibytes << 20) / 1e6 / (try await run(1)))
    }
  }

  func small(_ count: Int) async throws -> Reading {
    defer { end() }
    return try await Self.withServer { url in
      for number in 0..<count {
        try await add(TransferRequest(url: "\(url)/4096"), .download(destination: "file-\(number)"))
      }
      return Reading(Double(count) / (try await run(count)))
    }
  }

  private func end() {
    loop.stop()
    try? Folder.remove(folder)
  }

  private func add(_ request: TransferRequest, _ body: TransferDraft.Body) async throws {
    _ = try await journal.add(TransferDraft(request, body), to: Self.key, epoch: 1)
  }

  /// Runs until so many tasks are over.
  ///
  /// - Returns: the seconds that it took.
  private func run(_ count: Int) async throws -> Double {
    let start = ContinuousClock.now
    return try await withThrowingTaskGroup(of: Double?.self) { [runner, journal] group in
      group.addTask {
        try await runner.run()
        return nil
      }
      group.addTask {
        while true {
          let seen = journal.changes.count
          if try await !journal.hasUnfinishedTasks() { return (ContinuousClock.now - start) / .seconds(1) }
          try await journal.changes.wait(past: seen)
        }
      }
      defer { group.cancelAll() }
      guard let seconds = try await group.next().flatMap(\.self) else {
        throw BenchmarkError("The transfers ended before they were over.")
      }
      for event in try await journal.events(of: Self.key, atMost: 10_000) {
        if let error = event.error { throw BenchmarkError("A transfer failed: \(error.description)") }
      }
      return seconds
    }
  }

  // MARK: The floor

  static func floor(_ bench: Bench, mebibytes: Int, isUpload: Bool) throws -> Reading {
    let path = "\(bench.folder)/large-floor"
    defer { File.remove(path) }
    if isUpload { close(try file(in: bench.folder, mebibytes: mebibytes)) }
    let source = "\(bench.folder)/source"
    defer { File.remove(source) }
    return try withServer { url in
      let rate = try timed(1) {
        isUpload
          ? transfer_floor_upload(source, "\(url)/0") : transfer_floor_download("\(url)/\(mebibytes << 20)", path)
      }
      return Reading(rate.value * Double(mebibytes << 20) / 1e6)
    }
  }

  /// How often a second something happens that C does so many times.
  static func timed(_ count: Int, _ body: () -> Int32) throws -> Reading {
    let start = ContinuousClock.now
    let error = body()
    guard error == 0 else { throw BenchmarkError("The floor of transfers failed: errno \(error).") }
    return Reading(Double(count) / ((ContinuousClock.now - start) / .seconds(1)))
  }

  /// A new file `source` of zeros that lie on the disk.
  private static func file(in folder: String, mebibytes: Int) throws -> Int32 {
    let descriptor = open("\(folder)/source", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    let piece = [UInt8](repeating: 7, count: 1 << 20)
    for _ in 0..<mebibytes {
      guard descriptor >= 0, write(descriptor, piece, piece.count) == piece.count else {
        throw BenchmarkError("Cannot write in \(folder).")
      }
    }
    return descriptor
  }

  static func withServer<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let (server, port) = try startServer()
    defer { end(server) }
    return try await body("http://127.0.0.1:\(port)")
  }

  static func withServer<Value>(_ body: (String) throws -> Value) throws -> Value {
    let (server, port) = try startServer()
    defer { end(server) }
    return try body("http://127.0.0.1:\(port)")
  }

  private static func startServer() throws -> (pid_t, Int32) {
    var port: Int32 = 0
    let server = transfer_floor_server(&port)
    guard server > 0 else { throw BenchmarkError("The server of the floor did not start: errno \(-server).") }
    return (server, port)
  }

  private static func end(_ server: pid_t) {
    kill(server, SIGKILL)
    var status: Int32 = 0
    while waitpid(server, &status, 0) < 0, errno == EINTR {}
  }
}
