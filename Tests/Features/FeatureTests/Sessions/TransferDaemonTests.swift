import EventLoop
import ExtensionHosting
import Files
import TestSupport
import Testing
import Transfers

@testable import SessionServices

/// Which of several processes makes the transfers of a state folder.
@Suite(.timeLimit(.minutes(1)))
struct `The maker of transfers` {
  private struct Unknown: Error {}

  private let stage: SessionStage

  init() throws { stage = try SessionStage() }

  @Test func `that ends when it is idle leaves them to the one that is there, each time`() async throws {
    let draft = TransferDraft(TransferRequest(url: "https://a.example/x"), .download(destination: "x"))
    let task = try await stage.service.beginOwn(draft, container: stage.folder.path)
    let state = StateDirectory(path: stage.folder.file("state"))
    #expect(!TransferDaemon.isRunning(in: state))
    guard let lock = try FileLock.attempt(stage.folder.file("state/transfers/runner.lock")) else {
      Issue.record("Somebody makes the transfers.")
      return
    }
    let daemon = TransferDaemon(stage.service) { _ in throw Unknown() }
    for _ in 0..<2 {
      #expect(TransferDaemon.isRunning(in: state))
      try await withTaskExecutorPreference(stage.service.loop) { try await daemon.run(endingWhenIdle: true) }
    }
    #expect(try await stage.service.records(of: task.session).map(\.state) == [.waiting])
    lock.unlock()
    // To look is not to begin.
    for _ in 0..<2 { #expect(!TransferDaemon.isRunning(in: state)) }
  }
}
