import JSON
import AppExtensions
import ExtensionHosting
import ExtensionTesting
import Foundation
import HostServices
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A photo editor` {
  private let photo = EditablePhoto(current: SmallImages.jpeg(orientation: 6), creationDate: 1_700_000_000)

  private func withEditor<Result: Sendable>(
    _ script: PhotoProbe.Script, mediaTypes: [String] = ["Image"],
    _ body: @Sendable (PhotoEditor) async throws -> Result
  ) async throws -> Result {
    try await PhotoProbe.$script.withValue(script) {
      try await TestHost().withExtension(PhotoProbe.self, identity: .testing(point: .photoEditing)) {
        try await body(PhotoEditor($0, supportedMediaTypes: mediaTypes))
      }
    }
  }

  /// The reason of the refusal that a body throws.
  private func reason(_ body: @Sendable () async throws -> Void) async -> String? {
    do {
      try await body()
      return nil
    } catch let error as ExtensionError {
      return error.code == .editingFailed ? error.details["reason"]?.stringValue : error.code.name
    } catch { return "\(error)" }
  }

  @Test func `hands over the photo and takes what the extension makes`() async throws {
    let seen = Mutex<(PhotoEditingInput, [UInt8])?>(nil)
    let ended = Mutex(0)
    var script = PhotoProbe.Script()
    script.start = { session in
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: session.fullSizeImagePath)))
      #expect(try Data(contentsOf: URL(filePath: session.placeholderPath)) == Data(bytes))
      seen.withLock { $0 = (session.input, bytes) }
    }
    script.ended = { _ in ended.withLock { $0 += 1 } }
    let edited = try await withEditor(script) { editor in
      #expect(try await editor.start(photo, options: ["tone": "mono"]) == false)
      let edited = try await editor.finish()
      await editor.consumed(saved: true)
      // Answered after the notification before it was handled: one request at a time.
      #expect(await editor.shouldShowCancelConfirmation() == false)
      return edited
    }
    #expect(
      edited
        == EditedPhoto(bytes: SmallImages.jpeg(), type: "public.jpeg", adjustmentData: PhotoProbe.adjustment))
    let (input, bytes) = try #require(seen.withLock { $0 })
    #expect(bytes == photo.current)
    #expect(input.uniformTypeIdentifier == "public.jpeg")
    #expect(input.mediaType == 1)
    #expect(input.fullSizeImageOrientation == 6)
    #expect(input.creationDate == 1_700_000_000)
    #expect(input.adjustmentData == nil)
    #expect(input.options == ["tone": "mono"])
    #expect(ended.withLock { $0 } == 1)
  }

  @Test(arguments: [true, false])
  func `begins with the original when the extension takes the earlier edit up, else with how the photo looks`(
    canHandle: Bool
  ) async throws {
    let earlier = AdjustmentData(formatIdentifier: "com.example.probe", formatVersion: "1", bytes: [9])
    let edited = EditablePhoto(current: SmallImages.png, original: SmallImages.jpeg(), adjustmentData: earlier)
    var script = PhotoProbe.Script()
    script.canHandle = { $0 == earlier && canHandle }
    script.start = { session in
      #expect(session.input.adjustmentData == (canHandle ? earlier : nil))
      let bytes = try Data(contentsOf: URL(filePath: session.fullSizeImagePath))
      #expect([UInt8](bytes) == (canHandle ? SmallImages.jpeg() : SmallImages.png))
      #expect(session.input.uniformTypeIdentifier == (canHandle ? "public.jpeg" : "public.png"))
      #expect(try Data(contentsOf: URL(filePath: session.placeholderPath)) == Data(SmallImages.png))
    }
    let took = try await withEditor(script) { try await $0.start(edited) }
    #expect(took == canHandle)
  }

  @Test func `saves nothing when the extension has nothing to save`() async throws {
    var script = PhotoProbe.Script()
    script.finish = { _ in nil }
    try await withEditor(script) { editor in
      _ = try await editor.start(photo)
      #expect(try await editor.finish() == nil)
      // The session is over: another can begin.
      _ = try await editor.start(photo)
    }
  }

  @Test func `is asked whether cancelling would lose work`() async throws {
    var script = PhotoProbe.Script()
    script.confirms = true
    try await withEditor(script) { editor in
      _ = try await editor.start(photo)
      #expect(await editor.shouldShowCancelConfirmation())
      try await editor.cancel()
      #expect(await reason { _ = try await editor.finish() } == "noSession")
    }
  }

  @Test func `that is cancelled while it finishes saves nothing, and its task is cancelled`() async throws {
    let (finishing, continuation) = AsyncStream.makeStream(of: Void.self)
    let wasCancelled = Mutex(false)
    var script = PhotoProbe.Script()
    script.finish = { session in
      continuation.yield()
      continuation.finish()
      let (never, end) = AsyncStream.makeStream(of: Void.self)
      await withTaskCancellationHandler {
        for await _ in never {}
      } onCancel: {
        end.finish()
      }
      wasCancelled.withLock { $0 = true }
      return try PhotoProbe.output(session, SmallImages.jpeg())
    }
    try await withEditor(script) { editor in
      _ = try await editor.start(photo)
      async let finish = reason { _ = try await editor.finish() }
      for await _ in finishing {}
      try await editor.cancel()
      #expect(await finish == "cancelledDuringFinish")
      #expect(wasCancelled.withLock { $0 })
    }
  }

  private static let movie: [UInt8] = [0, 0, 0, 24] + Array("ftypqt  ".utf8)
  private static let foreign: [(bytes: [UInt8], mediaTypes: [String])] = [
    (SmallImages.png, ["Video"]), (movie, ["Image"]), (Array("plain text".utf8), ["Image", "Video"]),
  ]

  @Test(arguments: foreign)
  func `is not given what it does not edit`(bytes: [UInt8], mediaTypes: [String]) async throws {
    try await withEditor(PhotoProbe.Script(), mediaTypes: mediaTypes) { editor in
      #expect(await reason { _ = try await editor.start(EditablePhoto(current: bytes)) } == "mediaTypeUnsupported")
    }
  }

  @Test func `edits one photo at a time`() async throws {
    try await withEditor(PhotoProbe.Script()) { editor in
      #expect(await reason { _ = try await editor.finish() } == "noSession")
      #expect(await reason { try await editor.cancel() } == "noSession")
      _ = try await editor.start(photo)
      #expect(await reason { _ = try await editor.start(photo) } == "sessionBusy")
    }
  }

  @Test func `that refuses to start has no session`() async throws {
    var script = PhotoProbe.Script()
    script.start = { _ in throw ExtensionError(.contentInvalid, "Too dark.") }
    try await withEditor(script) { editor in
      for _ in 1...2 { #expect(await reason { _ = try await editor.start(photo) } == "contentInvalid") }
      #expect(await reason { _ = try await editor.finish() } == "noSession")
    }
  }
}
