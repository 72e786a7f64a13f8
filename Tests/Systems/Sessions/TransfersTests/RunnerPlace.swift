import EventLoop
import Foundation
import HTTPClient
import Synchronization
import TestSupport
import Testing

@testable import Transfers

/// A journal with somebody who runs its transfers. Back-offs take no time: the clock goes on instead.
struct RunnerPlace {
  let journals: Journals
  let journal: TransferJournal
  let client: HTTPClient
  let loop: EventLoop
  var key: SessionKey { journals.key }

  init(_ configure: (inout HTTPClient.Configuration) -> Void = { _ in }) throws {
    journals = try Journals()
    journal = journals.journal()
    loop = try EventLoop.started(name: "test-transfers")
    var configuration = HTTPClient.Configuration()
    configuration.timeout = nil
    configure(&configuration)
    client = HTTPClient(configuration: configuration)
  }

  func options(
    _ rules: @escaping TransferRunner.Options.Rules = { _, _, _ in .allowed(reaches: nil) }
  ) -> TransferRunner.Options {
    let (loop, clock) = (loop, journals.clock)
    var options = TransferRunner.Options(sleep: { try await loop.sleep(for: $0) }, rules: rules)
    // But nobody waits for weeks.
    options.sleepUntilDue = { if $0 < .seconds(86_400) { clock.advance($0) } else { try await loop.sleep(for: $0) } }
    options.checkpointInterval = .milliseconds(10)
    options.random = { 0.5 }
    options.isQuiet = { true }
    return options
  }

  /// Runs the transfers while `body` does something.
  func running<Value: Sendable>(
    _ options: TransferRunner.Options? = nil, _ body: @escaping @Sendable (TransferRunner) async throws -> Value
  ) async throws -> Value {
    let runner = TransferRunner(journal, client: client, options: options ?? self.options())
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask {
        try await runner.run()
        return nil
      }
      group.addTask { try await body(runner) }
      defer { group.cancelAll() }
      while let next = try await group.next() { if let next { return next } }
      throw CancellationError()
    }
  }

  /// Runs the transfers until a condition of the journal holds.
  func run(
    _ options: TransferRunner.Options? = nil, until condition: @escaping @Sendable () async throws -> Bool
  ) async throws {
    let journal = journal
    try await running(options) { _ in
      while true {
        let count = journal.changes.count
        if try await condition() { return }
        try await journal.changes.wait(past: count)
      }
    }
  }

  /// Runs the transfers until no task is left that could run.
  func runAll(_ options: TransferRunner.Options? = nil) async throws {
    let journal = journal
    try await run(options) { try await journal.unfinishedIDs().isEmpty }
  }

  func open(_ configuration: SessionConfiguration = SessionConfiguration()) async throws {
    _ = try await journal.open(journals.session(configuration: configuration))
  }

  @discardableResult
  func download(
    _ url: String, to destination: String = "a", headers: HTTPFields = [:], sha256: String? = nil
  ) async throws -> Int64 {
    try await journal.add(
      TransferDraft(
        TransferRequest(url: url, headers: headers), .download(destination: destination), sha256: sha256),
      to: key, epoch: 1)
  }

  func content(_ name: String = "a") -> [UInt8]? {
    FileManager.default.contents(atPath: "\(journals.container)/\(name)").map(Array.init)
  }

  func events() async throws -> [TransferEvent] { try await journal.events(of: key) }

  /// How the only task ended.
  func failure() async throws -> TransferFailure? { try await events().last?.error }
}

/// Bytes that differ from place to place and from seed to seed.
func pattern(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  return (0..<count).map { _ in
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return UInt8(truncatingIfNeeded: state)
  }
}

extension RunnerPlace {
  /// Leaves of a download what a loss of power does: the length of its file is kept, of its content the first 1,000 bytes.
  ///
  /// - Parameter synced: as many bytes as the record says to be on the disk.
  func losePower(during id: Int64, of body: [UInt8], synced: Int64) async throws {
    let file = try await journal.makeFile()
    let bytes = Data(body.prefix(1000)) + Data(count: 59_000)
    _ = bytes.withUnsafeBytes { pwrite(file.descriptor, $0.baseAddress, $0.count, 0) }
    var record = try #require(try await journal.task(id))
    record.part = TransferRecord.Part(
      name: file.name, validator: "\"1\"", bytes: 60_000, durableBytes: synced, total: 100_000,
      boot: journals.clock.now.boot)
    try await journal.keep([TransferOutcome(record: record)])
    journals.clock.reboot(off: .seconds(60))
  }
}
