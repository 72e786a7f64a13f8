import AppExtensions
import ExtensionHosting
import ExtensionProtocol
import Foundation
import HostServices
import SessionServices
import TestSupport
import Testing
import Transfers

extension ExtensionContext {
  fileprivate func begin(_ id: String, in group: String? = SessionStage.group) async throws -> Sessions.Create.Result {
    try await call(Sessions.Create(sessionID: id, sharedContainerIdentifier: group))
  }

  fileprivate func download(
    _ id: String, _ epoch: Int64, _ request: Sessions.Request = .init(url: "https://a.example/x"),
    to destination: String = "d/x", sha256: String? = nil
  ) async throws -> Int64 {
    try await call(
      Sessions.DownloadTask(
        sessionID: id, epoch: epoch, request: request, destination: destination, sha256: sha256)
    ).taskID
  }

  fileprivate func states(_ id: String, _ epoch: Int64) async throws -> [Sessions.State] {
    try await call(Sessions.Tasks(sessionID: id, epoch: epoch)).tasks.map(\.state)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The calls about background sessions` {
  private let stage: SessionStage

  init() throws { stage = try SessionStage() }

  @Test func `begin a session with an identifier of 1 to 200 bytes, in a group of the caller's`() async throws {
    try await stage.inExtension { context in
      let most = String(repeating: "é", count: 100)
      for (id, isTaken) in [
        ("", false), ("a", true), (most, true), (most + "a", false), ("a\u{1F}", false), ("\n", false), (" ", true),
      ] {
        let error = await refusal { _ = try await context.begin(id) }
        #expect(error?.code == (isTaken ? nil : .invalidParams), "\(id.utf8.count)")
      }
      #expect(await refusal { _ = try await context.begin("b", in: nil) }?.sessionCode == .requiresSharedContainer)
      #expect(await refusal { _ = try await context.begin("b", in: "group.other") }?.code == .groupNotEntitled)
    }
  }

  @Test func `are the caller's own, in the epoch that it was given`() async throws {
    try await stage.inExtension { context in
      let epoch = try await context.begin("s").epoch
      let again = try await context.begin("s")
      #expect(again.epoch == epoch && again.tasks == [])
      for (id, number) in [("s", epoch + 1), ("s", epoch - 1), ("t", epoch)] {
        let calls: [() async throws -> Void] = [
          { _ = try await context.call(Sessions.Tasks(sessionID: id, epoch: number)) },
          { _ = try await context.download(id, number) },
          {
            _ = try await context.call(
              Sessions.UploadTask(sessionID: id, epoch: number, request: .init(url: "https://a.example"), file: "f"))
          },
          { _ = try await context.call(Sessions.CancelTask(sessionID: id, epoch: number, taskID: 1)) },
          { _ = try await context.call(Sessions.FinishAndInvalidate(sessionID: id, epoch: number)) },
          { _ = try await context.call(Sessions.InvalidateAndCancel(sessionID: id, epoch: number)) },
        ]
        for (index, call) in calls.enumerated() {
          #expect(await refusal(call)?.sessionCode == .wasDisconnected, "\(id) \(index)")
        }
      }
      let states = try await context.states("s", epoch)
      #expect(states == [])
    }
  }

  @Test func `say to an app that was not woken nothing but that the session is its own`() async throws {
    try await stage.inExtension(SessionStage.app, point: .containingApp) { context in
      let epoch = try await context.begin("s").epoch
      _ = try await context.call(Sessions.EventsHandled(sessionID: "s", epoch: epoch))
      for (id, number) in [("s", epoch + 1), ("t", epoch)] {
        let error = await refusal { _ = try await context.call(Sessions.EventsHandled(sessionID: id, epoch: number)) }
        #expect(error?.sessionCode == .wasDisconnected)
      }
    }
  }

  private static let requests: [(request: Sessions.Request, code: ExtensionError.Code?)] = [
    (.init(url: "https://a.example/x"), nil), (.init(url: "https://a.example/x", method: "POST"), nil),
    (.init(url: "https://a.example/x", method: "PUT"), .invalidParams),
    (.init(url: "https://a.example/x", method: "get"), .invalidParams),
    (.init(url: "https://a.example/x", method: ""), .invalidParams),
    (.init(url: "https://b.example/x"), .permissionDenied), (.init(url: "ftp://a.example/x"), .invalidParams),
    (.init(url: "https://a.example/ü"), .invalidParams),
    (.init(url: "https://a.example/x", headers: ["X-A": "1"]), nil),
    (.init(url: "https://a.example/x", headers: ["Proxy-A": "1"]), .invalidParams),
  ]

  @Test(arguments: requests)
  func `download by requests that the caller may make`(
    request: Sessions.Request, code: ExtensionError.Code?
  ) async throws {
    try await stage.inExtension { context in
      let epoch = try await context.begin("s").epoch
      #expect(await refusal { _ = try await context.download("s", epoch, request) }?.code == code)
      let states = try await context.states("s", epoch)
      #expect(states == (code == nil ? [.waiting] : []))
    }
  }

  @Test func `download to a path below the container, of 1,024 bytes at most`() async throws {
    try await stage.inExtension { context in
      let epoch = try await context.begin("s").epoch
      // No name is longer than a disk takes.
      let name = String(repeating: "é", count: 127) + "a"
      let most = [name, name, name, String(repeating: "é", count: 126) + "a", "bc"].joined(separator: "/")
      for (path, isTaken) in [
        ("a", true), ("a/b c/.d", true), ("...", true), (most, true), (most + "d", false),
        (name, true), (name + "b", false), ("", false), ("/a", false),
        ("a/", false), ("a//b", false), (".", false), ("..", false), ("a/../b", false), ("a/.", false), ("a\0", false),
      ] {
        let error = await refusal { _ = try await context.download("s", epoch, to: path) }
        #expect(error?.code == (isTaken ? nil : .invalidParams), "\(path.prefix(20))")
      }
    }
  }

  @Test func `download what has a digest of 64 hexadecimal digits`() async throws {
    let service = stage.service
    try await stage.inExtension { context in
      let epoch = try await context.begin("s").epoch
      for text in [
        String(repeating: "a", count: 63), String(repeating: "a", count: 65), String(repeating: "g", count: 64),
        String(repeating: "/", count: 64), String(repeating: ":", count: 64), String(repeating: "`", count: 64), "",
      ] {
        let error = await refusal { _ = try await context.download("s", epoch, sha256: text) }
        #expect(error?.code == .invalidParams, "\(text)")
      }
      let digits = "0123456789ABCDEFabcdef0123456789ABCDEFabcdef0123456789ABCDEFabcd"
      let task = try await context.download("s", epoch, sha256: digits)
      let kept = try await service.journal.task(task)
      #expect(kept?.sha256 == digits.lowercased())
    }
  }

  @Test func `upload by other methods, a file that is there`() async throws {
    try await stage.inExtension { context in
      let epoch = try await context.begin("s").epoch
      let scratch = context.host?.directories.scratch ?? ""
      try Data("x".utf8).write(to: URL(filePath: "\(scratch)/own.txt"))
      for (method, file, code) in [
        (nil, "own.txt", nil), ("PUT", "\(scratch)/own.txt", nil), ("POST", "own.txt", nil), ("PATCH", "own.txt", nil),
        ("GET", "own.txt", .invalidParams), (nil, "none.txt", .invalidParams), (nil, "../own.txt", .invalidParams),
        (nil, "/etc/hostname", .invalidParams),
      ] as [(String?, String, ExtensionError.Code?)] {
        let request = Sessions.Request(url: "https://a.example", method: method)
        let error = await refusal {
          _ = try await context.call(Sessions.UploadTask(sessionID: "s", epoch: epoch, request: request, file: file))
        }
        #expect(error?.code == code, "\(method ?? "-") \(file)")
      }
      let tasks = try await context.call(Sessions.Tasks(sessionID: "s", epoch: epoch)).tasks
      #expect(tasks.map(\.kind) == [.upload, .upload, .upload, .upload] && tasks.map(\.bytesExpected) == [1, 1, 1, 1])
    }
  }

  @Test func `show all tasks or one, and cancel the one that is named`() async throws {
    try await stage.inExtension { context in
      let epoch = try await context.begin("s").epoch
      let first = try await context.download("s", epoch, to: "a")
      let second = try await context.download("s", epoch, to: "b")
      let other = try await context.begin("t").epoch
      func tasks(_ id: Int64?) async throws -> [String?] {
        try await context.call(Sessions.Tasks(sessionID: "s", epoch: epoch, taskID: id)).tasks.map(\.destination)
      }
      let (all, one, none) = (try await tasks(nil), try await tasks(second), try await tasks(second + 1))
      #expect(all == ["a", "b"] && one == ["b"] && none == [])
      for (id, number, task) in [("s", epoch, second + 1), ("t", other, first)] {
        let cancel = Sessions.CancelTask(sessionID: id, epoch: number, taskID: task)
        #expect(await refusal { _ = try await context.call(cancel) }?.code == .invalidParams)
      }
      for _ in 0..<2 { _ = try await context.call(Sessions.CancelTask(sessionID: "s", epoch: epoch, taskID: first)) }
      let after = try await context.call(Sessions.Tasks(sessionID: "s", epoch: epoch)).tasks
      #expect(after.map(\.state) == [.cancelled, .waiting])
      #expect(after.map { $0.error?.code } == [-999, nil])
    }
  }

  @Test func `take no task after the session is to end, and cancel those that it has`() async throws {
    try await stage.inExtension { context in
      let epoch = try await context.begin("s").epoch
      _ = try await context.download("s", epoch)
      _ = try await context.call(Sessions.FinishAndInvalidate(sessionID: "s", epoch: epoch))
      #expect(await refusal { _ = try await context.download("s", epoch) }?.sessionCode == .wasDisconnected)
      let waiting = try await context.states("s", epoch)
      #expect(waiting == [.waiting])
      _ = try await context.call(Sessions.InvalidateAndCancel(sessionID: "s", epoch: epoch))
      let cancelled = try await context.states("s", epoch)
      #expect(cancelled == [.cancelled])
    }
  }

  @Test func `leave a session that is to end to its end, also in the next process`() async throws {
    try await stage.inExtension { context in
      let epoch = try await context.begin("s").epoch
      _ = try await context.download("s", epoch)
      _ = try await context.call(Sessions.FinishAndInvalidate(sessionID: "s", epoch: epoch))
    }
    try await stage.inExtension { context in
      let next = try await context.begin("s")
      #expect(next.tasks.map(\.state) == [.waiting])
      #expect(await refusal { _ = try await context.download("s", next.epoch) }?.sessionCode == .wasDisconnected)
    }
  }

  @Test func `give a session back that has no container to be in`() async throws {
    let group = stage.folder.file("state/groups/\(SessionStage.group)")
    try await stage.inExtension { context in
      try FileManager.default.removeItem(atPath: group)
      try Data().write(to: URL(filePath: group))
      #expect(await refusal { _ = try await context.begin("s") } != nil)
      try FileManager.default.removeItem(atPath: group)
    }
    // The process before is no obstacle.
    try await stage.inExtension { context in
      #expect(await refusal { _ = try await context.begin("s") } == nil)
    }
  }

  @Test func `make a session anew under its name after it was ended, with or without tasks`() async throws {
    try await stage.inExtension { context in
      for hasTask in [false, true] {
        let epoch = try await context.begin("s").epoch
        if hasTask { _ = try await context.download("s", epoch) }
        _ = try await context.call(Sessions.InvalidateAndCancel(sessionID: "s", epoch: epoch))
        let next = try await context.begin("s").epoch
        #expect(next > epoch)
        #expect(await refusal { _ = try await context.download("s", epoch) }?.sessionCode == .wasDisconnected)
        let task = try await context.download("s", next)
        let states = try await context.call(Sessions.Tasks(sessionID: "s", epoch: next, taskID: task)).tasks.map(
          \.state)
        #expect(states == [.waiting])
        let again = try await context.begin("s").epoch
        #expect(again == next)
      }
    }
  }

  @Test func `go on in the next process of the same extension, and in no other`() async throws {
    let other = "group.com.example.test.other"
    let epoch = try await stage.inExtension { context in
      let epoch = try await context.begin("s").epoch
      _ = try await context.download("s", epoch)
      let brief = try await context.begin("brief").epoch
      _ = try await context.call(Sessions.InvalidateAndCancel(sessionID: "brief", epoch: brief))
      return epoch
    }
    try await stage.inExtension("\(SessionStage.app).another") { context in
      #expect(await refusal { _ = try await context.begin("s") }?.sessionCode == .inUseByAnotherProcess)
      // What was invalidated is nobody's.
      #expect(await refusal { _ = try await context.begin("brief") } == nil)
    }
    try await stage.inExtension(groups: [SessionStage.group, other]) { context in
      let wrong = await refusal { _ = try await context.begin("s", in: other) }
      #expect(wrong?.code == .invalidParams && wrong?.message.contains(SessionStage.group) == true)
      let next = try await context.begin("s")
      #expect(next.epoch > epoch && next.tasks.map(\.state) == [.waiting])
      let old = await refusal { _ = try await context.states("s", epoch) }
      #expect(old?.sessionCode == .wasDisconnected)
    }
  }
}
