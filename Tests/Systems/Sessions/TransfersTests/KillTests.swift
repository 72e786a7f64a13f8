import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Transfers

@Suite(.timeLimit(.minutes(5)))
struct `Transfers of a process that is killed` {
  /// Each round has tasks of its own; the process is killed once while they run, and then the next one ends them.
  @Test func `are lost in no round, told once, and leave nothing`() async throws {
    let rounds = 100
    let place = try Journals()
    let journal = TransferJournal(TransferJournal.Options(folder: place.folder))
    let body = pattern(150_000)
    let received = Mutex<[String: [UInt8]]>([:])
    // Kills at a moment that the server knows of: after so many requests, in the middle of an answer.
    let victim = Mutex<(worker: WorkerProcess, after: Int)?>(nil)
    let server = try FaultyServer { request, _ in
      let worker = victim.withLock { state -> WorkerProcess? in
        guard let (worker, after) = state else { return nil }
        state = after > 0 ? (worker, after - 1) : nil
        return after > 0 ? nil : worker
      }
      if request.method == "PUT" {
        received.withLock { $0[request.path] = request.body }
        worker?.kill()
        return FaultyServer.Reply()
      }
      var reply = FaultyServer.Reply.file(
        Array(request.path.utf8) + body, tag: "\"\(request.path)\"", for: request)
      if let worker {
        reply.length = reply.body.count
        reply.cut = Int.random(in: 0...reply.body.count)
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(.random(in: 0...6000))) { worker.kill() }
      }
      return reply
    }
    defer { server.stop() }
    _ = try await journal.open(place.session())
    var lastEvent: Int64 = 0
    var killed = 0
    for round in 0..<rounds {
      var tasks: Set<Int64> = []
      for number in 0..<3 {
        let draft = place.download("\(server.url)/\(round)/\(number)", to: "\(round)/\(number)")
        tasks.insert(try await journal.add(draft, to: place.key, epoch: 1))
      }
      let uploaded = try await place.upload("round \(round)", to: "\(server.url)/up/\(round)") {
        try await journal.add($0, to: place.key, epoch: 1)
      }
      tasks.insert(uploaded)
      let arguments = [place.folder, place.key.app, place.key.identifier]
      let worker = try WorkerProcess("TransferWorker", arguments)
      victim.withLock { $0 = (worker, .random(in: 0...4)) }
      if worker.wait() == -SIGKILL { killed += 1 }
      victim.withLock { $0 = nil }
      let second = try WorkerProcess("TransferWorker", arguments)
      #expect(second.wait() == 0)
      let events = try await journal.events(of: place.key)
      #expect(events.count == 8 && Set(events.map(\.task)) == tasks)
      #expect(events.allSatisfy { $0.error == nil && $0.id > lastEvent })
      lastEvent = events.last?.id ?? 0
      for number in 0..<3 {
        let path = "\(place.container)/\(round)/\(number)"
        let expected = Array("/\(round)/\(number)".utf8) + body
        #expect(FileManager.default.contents(atPath: path).map(Array.init) == expected)
      }
      #expect(received.withLock { $0["/up/\(round)"] } == Array("round \(round)".utf8))
      try await journal.acknowledge(events.map(\.id), of: place.key, epoch: 1)
      #expect(try await journal.tasks(place.key).isEmpty)
    }
    try await journal.sweep()
    #expect(place.files.isEmpty)
    #expect(killed > rounds / 4)
  }

  @Test func `end when a file may not grow, and leave nothing of it`() async throws {
    let place = try Journals()
    let journal = TransferJournal(TransferJournal.Options(folder: place.folder))
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: pattern(3_000_000)) }
    defer { server.stop() }
    _ = try await journal.open(place.session())
    _ = try await journal.add(place.download(server.url), to: place.key, epoch: 1)
    let worker = try WorkerProcess(
      "TransferWorker", [place.folder, place.key.app, place.key.identifier], after: "ulimit -f 1000")
    #expect(worker.wait() == 0)
    #expect(try await journal.events(of: place.key).map(\.error?.code) == [-1103])
    #expect(place.files.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.container).isEmpty)
  }

  @Test(.enabled("mounting a file system needs root", { geteuid() == 0 }))
  func `end when the disk is full, and leave nothing of it`() async throws {
    let place = try Journals()
    let journal = TransferJournal(TransferJournal.Options(folder: place.folder))
    let server = try FaultyServer { _, _ in FaultyServer.Reply(body: pattern(3_000_000)) }
    defer { server.stop() }
    _ = try await journal.open(place.session())
    _ = try await journal.add(place.download(server.url), to: place.key, epoch: 1)
    let disk = "mount -t tmpfs -o size=1m none '\(place.folder)/files'"
    let worker = try WorkerProcess("TransferWorker", [place.folder, place.key.app, place.key.identifier], after: disk)
    #expect(worker.wait() == 0)
    let errors = try await journal.events(of: place.key).map(\.error)
    #expect(errors.map(\.?.code) == [-3003] && errors.first??.description == "The disk is full.")
    #expect(place.files.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.container).isEmpty)
  }
}
