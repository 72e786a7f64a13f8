import ExtensionHosting
import ExtensionTesting
import HostServices
import JSON
import Synchronization
import Testing

@testable import AppExtensions

/// The sessions that a photo editor keeps for its host, one at a time.
@Suite(.timeLimit(.minutes(1)))
struct `The one session of an editor` {
  private func withEditor(
    _ script: PhotoProbe.Script, _ body: (ExtensionProcess) async throws -> Void
  ) async throws {
    try await PhotoProbe.$script.withValue(script) {
      try await TestHost().withExtension(PhotoProbe.self, identity: .testing(point: .photoEditing), body)
    }
  }

  private static func start(_ id: String) -> PhotoEditing.StartContentEditing {
    PhotoEditing.StartContentEditing(
      sessionID: id, input: PhotoEditingInput(uniformTypeIdentifier: "public.jpeg", fullSizeImagePath: "p"),
      placeholder: .init(path: "p"))
  }

  private static func finish(_ id: String) -> PhotoEditing.FinishContentEditing {
    PhotoEditing.FinishContentEditing(sessionID: id, outputDirectory: "o", supportedTypes: ["public.jpeg"])
  }

  private func reason(_ body: () async throws -> Void) async -> String? {
    await refusal(body)?.details["reason"]?.stringValue
  }

  @Test func `is closed to others until it ends, by its own name only`() async throws {
    let ended = Mutex<[String]>([])
    var script = PhotoProbe.Script()
    script.confirms = true
    let (endings, ending) = AsyncStream.makeStream(of: Void.self)
    script.ended = { session in
      ended.withLock { $0.append(session.id) }
      ending.yield()
    }
    let confirm = { PhotoEditing.ShouldShowCancelConfirmation(sessionID: $0) }
    try await withEditor(script) { process in
      #expect(await reason { _ = try await process.call(confirm("a")) } == "noSession")
      _ = try await process.call(Self.start("a"))
      #expect(await reason { _ = try await process.call(Self.start("b")) } == "sessionBusy")
      #expect(await reason { _ = try await process.call(Self.start("a")) } == "sessionBusy")
      #expect(await reason { _ = try await process.call(confirm("b")) } == "noSession")
      #expect(await reason { _ = try await process.call(Self.finish("b")) } == "noSession")
      _ = try await process.call(PhotoEditing.CancelContentEditing(sessionID: "b"))
      await process.notify(PhotoEditing.OutputConsumed(sessionID: "z", saved: true))
      let isShown = try await process.call(confirm("a")).show
      #expect(isShown && ended.withLock { $0 } == [])
      for _ in 0..<2 { _ = try await process.call(PhotoEditing.CancelContentEditing(sessionID: "a")) }
      #expect(ended.withLock { $0 } == ["a"])
      #expect(await reason { _ = try await process.call(confirm("a")) } == "noSession")
      _ = try await process.call(Self.start("b"))
      await process.notify(PhotoEditing.OutputConsumed(sessionID: "b", saved: true))
      for await _ in endings where ended.withLock({ $0.count }) == 2 { break }
      #expect(ended.withLock { $0 } == ["a", "b"])
      _ = try await process.call(Self.start("c"))
    }
  }

  @Test func `stays open with its output, and ends where there is none`() async throws {
    let ended = Mutex(0)
    let hasOutput = Mutex(true)
    var script = PhotoProbe.Script()
    script.ended = { _ in ended.withLock { $0 += 1 } }
    script.finish = { session in
      #expect(session.supportedTypes == ["public.jpeg"])
      #expect(await refusal { _ = try session.outputPath(for: "public.png") }?.code == .invalidParams)
      return hasOutput.withLock { $0 }
        ? try session.output(type: "public.jpeg", adjustmentData: PhotoProbe.adjustment) : nil
    }
    script.start = { session in
      #expect(session.supportedTypes == [])
      #expect(await refusal { _ = try session.outputPath(for: "public.jpeg") }?.code == .invalidParams)
    }
    try await withEditor(script) { process in
      _ = try await process.call(Self.start("a"))
      let output = try await process.call(Self.finish("a")).output
      #expect(output?.renderedContent?.path == "o/rendered" && output?.renderedContent?.type == "public.jpeg")
      #expect(await reason { _ = try await process.call(Self.start("b")) } == "sessionBusy")
      #expect(ended.withLock { $0 } == 0)
      hasOutput.withLock { $0 = false }
      let none = try await process.call(Self.finish("a")).output
      #expect(none == nil && ended.withLock { $0 } == 1)
      _ = try await process.call(Self.start("b"))
    }
  }

  @Test func `ends when its finish throws`() async throws {
    let ended = Mutex(0)
    var script = PhotoProbe.Script()
    script.ended = { _ in ended.withLock { $0 += 1 } }
    script.finish = { _ in throw ExtensionError(.contentFailed, "No.") }
    try await withEditor(script) { process in
      _ = try await process.call(Self.start("a"))
      #expect(await refusal { _ = try await process.call(Self.finish("a")) }?.code == .contentFailed)
      #expect(ended.withLock { $0 } == 1)
      _ = try await process.call(Self.start("b"))
    }
  }

  @Test func `is not finished when it was cancelled just before`() async throws {
    let kept = Kept<PhotoEditingSession>()
    var script = PhotoProbe.Script()
    script.start = { kept.keep($0) }
    try await withEditor(script) { _ = try await $0.call(Self.start("a")) }
    let session = try #require(kept.value)
    let sessions = PhotoEditingSessions()
    try sessions.open(session)
    sessions.close(session.id)
    await #expect(throws: CancellationError.self) {
      _ = try await sessions.finish(session) {
        Issue.record("It is finished.")
        return nil
      }
    }
  }
}
