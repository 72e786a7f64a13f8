import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import JSON
import Synchronization
import Testing

/// The sessions of one editor, one after the other.
@Suite(.timeLimit(.minutes(1)))
struct `A session of a photo editor` {
  private let photo = EditablePhoto(current: SmallImages.jpeg())

  private func withEditor(
    _ script: PhotoProbe.Script, _ body: @Sendable (PhotoEditor) async throws -> Void
  ) async throws {
    try await PhotoProbe.$script.withValue(script) {
      try await TestHost().withExtension(PhotoProbe.self, identity: .testing(point: .photoEditing)) {
        try await body(PhotoEditor($0))
      }
    }
  }

  private func reason(_ body: () async throws -> Void) async -> String? {
    await refusal(body)?.details["reason"]?.stringValue
  }

  @Test func `knows the earlier edit of its own photo, and not that of the one before`() async throws {
    let asked = Mutex(0)
    var script = PhotoProbe.Script()
    script.canHandle = { _ in
      asked.withLock { $0 += 1 }
      return true
    }
    script.finish = { try PhotoProbe.output($0, SmallImages.jpeg(), PhotoMistake.earlier) }
    try await withEditor(script) { editor in
      // Without the original nothing can be taken up, and the extension is not asked.
      let edited = EditablePhoto(current: SmallImages.jpeg(), adjustmentData: PhotoMistake.earlier)
      let isResumed = try await editor.start(edited)
      #expect(!isResumed && asked.withLock { $0 } == 0)
      #expect(await reason { _ = try await editor.finish() } == "adjustmentDataReused")
      _ = try await editor.start(photo)
      let output = try await editor.finish()
      #expect(output?.adjustmentData == PhotoMistake.earlier)
      await editor.consumed(saved: true)
      let both = EditablePhoto(
        current: SmallImages.jpeg(), original: SmallImages.jpeg(), adjustmentData: PhotoMistake.earlier)
      let isTakenUp = try await editor.start(both)
      #expect(isTakenUp && asked.withLock { $0 } == 1)
    }
  }

  @Test func `tells the extension once what became of its output, and only of an output`() async throws {
    let ended = Mutex(0)
    var script = PhotoProbe.Script()
    script.ended = { _ in ended.withLock { $0 += 1 } }
    script.confirms = true
    try await withEditor(script) { editor in
      let before = await editor.shouldShowCancelConfirmation()
      #expect(!before, "there is no session")
      await editor.consumed(saved: true)
      _ = try await editor.start(photo)
      await editor.consumed(saved: true)
      // Answered after what was notified before it.
      let during = await editor.shouldShowCancelConfirmation()
      #expect(during && ended.withLock { $0 } == 0)
      _ = try await editor.finish()
      for _ in 0..<2 { await editor.consumed(saved: false, error: "No space.") }
      let after = await editor.shouldShowCancelConfirmation()
      #expect(!after && ended.withLock { $0 } == 1)
    }
  }

  @Test func `cannot be cancelled when its output is here, nor finished twice`() async throws {
    try await withEditor(PhotoProbe.Script()) { editor in
      _ = try await editor.start(photo)
      _ = try await editor.finish()
      #expect(await reason { try await editor.cancel() } == "sessionBusy")
      #expect(await reason { _ = try await editor.finish() } == "sessionBusy")
      #expect(await reason { _ = try await editor.start(photo) } == "sessionBusy")
      await editor.consumed(saved: true)
      #expect(await reason { try await editor.cancel() } == "noSession")
      _ = try await editor.start(photo)
      try await editor.cancel()
      #expect(await reason { try await editor.cancel() } == "noSession")
      _ = try await editor.start(photo)
    }
  }

  @Test func `may describe its edit with 2 MiB`() async throws {
    var script = PhotoProbe.Script()
    let data = PhotoMistake.data([UInt8](repeating: 1, count: AdjustmentData.limit))
    script.finish = { try PhotoProbe.output($0, SmallImages.jpeg(), data) }
    try await withEditor(script) { editor in
      _ = try await editor.start(photo)
      let output = try await editor.finish()
      #expect(output?.adjustmentData.bytes?.count == 2 << 20)
    }
  }
}
