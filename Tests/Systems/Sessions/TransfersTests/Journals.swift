import Foundation
import HTTPClient
import TestSupport

@testable import Transfers

/// A journal in a folder of its own, and a container beside it.
struct Journals {
  let directory: TemporaryDirectory
  let clock = ManualClock()
  let key = SessionKey(app: "com.example.app", identifier: "uploads")

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: container, withIntermediateDirectories: true)
  }

  var folder: String { directory.file("journal") }
  var container: String { directory.file("container") }

  /// A process's own view of the journal.
  func journal(_ change: (inout JournalLimits) -> Void = { _ in }) -> TransferJournal {
    var options = TransferJournal.Options(folder: folder)
    options.now = { [clock] in clock.now }
    options.pollInterval = .milliseconds(50)
    change(&options.limits)
    return TransferJournal(options)
  }

  func session(
    _ identifier: String? = nil, epoch: Int64 = 1, configuration: SessionConfiguration = SessionConfiguration()
  )
    -> SessionRecord
  {
    SessionRecord(
      key: identifier.map { SessionKey(app: key.app, identifier: $0) } ?? key, owner: "com.example.app.share",
      epoch: epoch, group: "group.example", container: container, machine: "here", configuration: configuration,
      manifests: ["/m"])
  }

  func download(_ url: String = "http://127.0.0.1:1/a", to destination: String = "a") -> TransferDraft {
    TransferDraft(TransferRequest(url: url, headers: ["X-A": "b"]), .download(destination: destination))
  }

  /// A draft of an upload of some text, which is passed on while the file is open.
  func upload<Value>(
    _ text: String, to url: String = "http://127.0.0.1:1/a", _ body: (TransferDraft) async throws -> Value
  ) async throws -> Value {
    let path = try directory.write(text, to: "source")
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    return try await body(TransferDraft(TransferRequest(url: url, method: "PUT"), .upload(descriptor: descriptor)))
  }

  /// The names of the journal's files.
  var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/files").sorted()) ?? [] }
}
