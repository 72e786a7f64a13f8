import ExtensionHosting
import ExtensionTesting
import Foundation
import HostServices
import JSON
import Synchronization
import Testing

@testable import AppExtensions

/// The presentations that an extension keeps for its host.
@Suite(.timeLimit(.minutes(1)))
struct `A presentation of a document picker` {
  private static let identity = Caller.Identity.testing(point: .documentPicker)
  private static let prepare = DocumentPicker.Prepare(requestID: "r1", mode: .open)

  private func withPicker(
    _ script: DocumentProbe.Script, _ body: (ExtensionProcess) async throws -> Void
  ) async throws {
    try await DocumentProbe.$script.withValue(script) {
      try await TestHost().withExtension(DocumentProbe.self, identity: Self.identity, body)
    }
  }

  private static func list(_ requestID: String, _ process: ExtensionProcess) async -> ExtensionError.Code? {
    await refusal { _ = try await process.call(DocumentPicker.List(requestID: requestID)) }?.code
  }

  @Test func `begins once, and not when it cannot be prepared`() async throws {
    let tries = Mutex(0)
    var script = DocumentProbe.Script()
    script.prepare = { _ in
      let number = tries.withLock { tries in
        tries += 1
        return tries
      }
      if number == 1 { throw ExtensionError(.contentFailed, "No.") }
    }
    try await withPicker(script) { process in
      #expect(await refusal { _ = try await process.call(Self.prepare) }?.code == .contentFailed)
      #expect(await Self.list("r1", process) == .requestUnknown)
      _ = try await process.call(Self.prepare)
      #expect(await refusal { _ = try await process.call(Self.prepare) }?.code == .invalidParams)
      #expect(await Self.list("r1", process) == nil)
      _ = try await process.call(DocumentPicker.Prepare(requestID: "r2", mode: .open))
      #expect(await Self.list("r2", process) == nil)
      #expect(await Self.list("r3", process) == .requestUnknown)
    }
  }

  @Test func `is over for its extension once it has granted or cancelled`() async throws {
    let shown = Kept<String>()
    var script = DocumentProbe.Script()
    script.prepare = { shown.keep($0.requestID) }
    script.pick = { _, _ in nil }
    let stage = try DocumentStage(script)
    let host = TestHost(services: [stage.requests, stage.documents, stage.picker], state: stage.state)
    try await DocumentProbe.$script.withValue(script) {
      try await host.withExtension(DocumentProbe.self, identity: Self.identity) { process in
        try await process.presentPicker(PickerTerms(.open), service: stage.picker) { picker in
          let requestID = try #require(shown.value)
          #expect(await Self.list(requestID, process) == nil)
          let granted = try await picker.select("a")
          #expect(granted == nil)
          #expect(await Self.list(requestID, process) == .requestUnknown)
        }
      }
    }
  }

  @Test(
    arguments: [
      (DocumentStage.group, "groups/\(DocumentStage.group)"), ("container", "containers/com.example.test.extension"),
    ])
  func `gives files of its groups and of its container, and of nobody else's`(
    directory: String, place: String
  ) async throws {
    let rules = Mutex<[DocumentRule?]>([])
    var script = DocumentProbe.Script()
    script.pick = { _, picker in
      for foreign in ["group.com.example.other", "com.example.other", "../containers/com.example.other", "groups", ""] {
        let grant = DocumentPicker.DismissGrantingAccess(
          requestID: picker.requestID, url: "own.txt", directory: foreign)
        let error = await refusal { _ = try await picker.context.call(grant) }
        rules.withLock { $0.append(error?.documentRule) }
      }
      return PickerGrant(path: "own.txt", directory: directory)
    }
    let stage = try DocumentStage(script)
    for place in [place, "groups/group.com.example.other", "containers/com.example.other", "groups"] {
      let folder = stage.folder.appending(path: place)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(place.utf8).write(to: folder.appending(path: "own.txt"))
    }
    let picked = try await stage.withPicker(PickerTerms(.import)) { try await $0.select("a") }
    #expect(picked == .copy(name: "own.txt", bytes: Array(place.utf8)))
    #expect(rules.withLock { $0 } == [.readableFile, .readableFile, .readableFile, .readableFile, .readableFile])
  }

  @Test func `takes another choice after one that its extension refused`() async throws {
    var script = DocumentProbe.Script()
    script.pick = { identifier, _ in
      if identifier == "gone" { throw ExtensionError(.contentFailed, "No.") }
      return nil
    }
    let stage = try DocumentStage(script)
    _ = try await stage.withPicker(PickerTerms(.open)) { picker in
      for _ in 0..<2 { #expect(await refusal { _ = try await picker.select("gone") }?.code == .contentFailed) }
      _ = try await picker.page()
      let picked = try await picker.select("there")
      #expect(picked == nil)
      return picked
    }
  }

  @Test func `is not asked for a grant when it was withdrawn just before`() async throws {
    let kept = Kept<PickerSession>()
    var script = DocumentProbe.Script()
    script.prepare = { kept.keep($0) }
    try await withPicker(script) { _ = try await $0.call(Self.prepare) }
    let picker = try #require(kept.value)
    let pickers = PickerSessions()
    try pickers.open(picker)
    pickers.close(picker.requestID)
    await #expect(throws: CancellationError.self) {
      _ = try await pickers.run(picker) {
        Issue.record("It is asked.")
        return nil
      }
    }
  }
}
