import AppExtensions
import Foundation

/// A photo editor that does what a test tells it.
struct PhotoProbe: PhotoEditingExtension {
  typealias Finish = @Sendable (PhotoEditingSession) async throws -> PhotoEditingOutput?

  struct Script: Sendable {
    var canHandle: @Sendable (AdjustmentData) -> Bool = { _ in false }
    var start: @Sendable (PhotoEditingSession) async throws -> Void = { _ in }
    var finish: Finish = { try PhotoProbe.output($0, SmallImages.jpeg()) }
    var confirms = false
    var ended: @Sendable (PhotoEditingSession) -> Void = { _ in }
  }

  @TaskLocal static var script = Script()
  private let script = Self.script

  static let adjustment = AdjustmentData(formatIdentifier: "com.example.probe", formatVersion: "1", bytes: [1, 2])

  func canHandle(_ adjustmentData: AdjustmentData) async -> Bool { script.canHandle(adjustmentData) }
  func startContentEditing(_ session: PhotoEditingSession) async throws { try await script.start(session) }
  func finishContentEditing(_ session: PhotoEditingSession) async throws -> PhotoEditingOutput? {
    try await script.finish(session)
  }
  func shouldShowCancelConfirmation(_ session: PhotoEditingSession) async -> Bool { script.confirms }
  func endContentEditing(_ session: PhotoEditingSession) async { script.ended(session) }

  /// Writes some bytes where the edited photo belongs.
  static func output(
    _ session: PhotoEditingSession, _ bytes: [UInt8], type: String = "public.jpeg",
    _ adjustment: AdjustmentData = adjustment
  ) throws -> PhotoEditingOutput {
    try Data(bytes).write(to: URL(filePath: session.outputPath(for: type)))
    return try session.output(type: type, adjustmentData: adjustment)
  }
}
