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

  /// The first session that a script has, and a gate that holds it back.
  private final class Late: Sendable {
    let first = Kept<String>()
    let gate = Gate()
    let (held, isHeld) = AsyncStream.makeStream(of: Void.self)

    /// Throws in the first session, once the gate is open; returns at once in the others.
    func fail(_ session: PhotoEditingSession) async throws {
      guard first.value == nil else { return }
      first.keep(session.id)
      isHeld.yield()
      await gate.wait()
      throw ExtensionError(.contentInvalid, "Late.")
    }
  }

  @Test func `is not ended by the late start of the one before`() async throws {
    let late = Late()
    var script = PhotoProbe.Script()
    script.start = { try await late.fail($0) }
    try await withEditor(script) { editor in
      async let failure = refusal { _ = try await editor.start(photo) }
      for await _ in late.held { break }
      try await editor.cancel()
      _ = try await editor.start(photo)
      late.gate.open()
      #expect(await failure?.code == .contentInvalid)
      let output = try await editor.finish()
      #expect(output?.adjustmentData == PhotoProbe.adjustment)
    }
  }

  @Test func `is not ended by the late finish of the one before, which was cancelled`() async throws {
    let late = Late()
    var script = PhotoProbe.Script()
    script.finish = { session in
      try await late.fail(session)
      return try PhotoProbe.output(session, SmallImages.jpeg())
    }
    try await withEditor(script) { editor in
      _ = try await editor.start(photo)
      async let failure = refusal { _ = try await editor.finish() }
      for await _ in late.held { break }
      try await editor.cancel()
      _ = try await editor.start(photo)
      late.gate.open()
      #expect(await failure?.details["reason"]?.stringValue == "cancelledDuringFinish")
      let output = try await editor.finish()
      #expect(output?.adjustmentData == PhotoProbe.adjustment)
    }
  }

  @Test func `follows one whose cancellation failed`() async throws {
    let peer = ScriptedPeer([
      PhotoEditing.StartContentEditing.method: { _ in [:] },
      PhotoEditing.CancelContentEditing.method: { _ in throw ExtensionError(.contentFailed, "No.") },
    ])
    try await Stage(hasScratch: true).withPeer(peer, identity: .testing(point: .photoEditing)) { process in
      let editor = PhotoEditor(process)
      for _ in 0..<2 {
        _ = try await editor.start(photo)
        await #expect(throws: ExtensionError(.contentFailed, "")) { try await editor.cancel() }
      }
    }
  }
}
