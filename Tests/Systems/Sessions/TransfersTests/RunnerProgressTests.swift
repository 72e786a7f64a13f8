import Files
import HTTPClient
import Testing

@testable import Transfers

/// What the journal, and whoever asks, learns of a transfer before it is over.
@Suite(.timeLimit(.minutes(1)))
struct `The progress of a transfer` {
  private let place: RunnerPlace

  init() throws { place = try RunnerPlace() }

  @Test func `is written down at the end of who runs it, however long that is after the last time`() async throws {
    let server = try FaultyServer { _, _ in
      FaultyServer.Reply(headers: [("ETag", "\"1\"")], body: pattern(500), length: 1_000, isSilent: true)
    }
    defer { server.stop() }
    try await place.open()
    let id = try await place.download(server.url)
    var options = place.options()
    options.checkpointInterval = .seconds(3_600)
    let place = place
    try await place.running(options) { _ in
      while true {
        let file = place.journals.files.first.map { place.journal.folder.path(of: $0) }
        if let file, FileStatus(file)?.size == 500 { return }
        await Task.yield()
      }
    }
    let record = try await place.journal.task(id)
    #expect(record?.state == .running && record?.bytesDone == 500 && record?.part?.durableBytes == 500)
  }

  @Test func `of an upload is that it runs, and what has been sent of it, in each attempt`() async throws {
    let server = try FaultyServer { _, index in
      index == 0 ? FaultyServer.Reply(status: 503) : FaultyServer.Reply(length: 10, isSilent: true)
    }
    defer { server.stop() }
    try await place.open()
    let id = try await place.journals.upload("some text", to: server.url) {
      try await place.journal.add($0, to: place.key, epoch: 1)
    }
    let journal = place.journal
    try await place.run {
      let task = try await journal.task(id)
      return task?.state == .running && task?.attempts == 1 && task?.bytesDone == 9
    }
    #expect(try await journal.task(id)?.notBefore == nil)
  }

  @Test func `of a download is what there was before, until its next attempt has begun`() async throws {
    try await place.open()
    let (id, session) = (try await place.download("http://127.0.0.1:1/"), try await place.journal.session(place.key))
    var record = try #require(try await place.journal.task(id))
    record.bytesDone = 40
    record.part = TransferRecord.Part(
      name: "p", bytes: 40, durableBytes: 30, total: 100, boot: place.journals.clock.now.boot)
    let live = LiveTransfer(record, of: try #require(session), server: "")
    for _ in 0..<2 { #expect(live.record == record) }
    live.begin(HTTPProgress(), offset: 30, file: OpenFile(name: "p", descriptor: -1))
    #expect(live.record.bytesDone == 30 && live.record.part?.bytes == 30)
  }
}
