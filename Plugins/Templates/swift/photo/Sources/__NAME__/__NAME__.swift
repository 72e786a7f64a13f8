import AppExtensions
import FoundationEssentials

/// A photo editor that writes the photo as it is: change the bytes in `edited`.
@main
struct __NAME__: PhotoEditingExtension {
  static let format = "__ID__"

  func edited(_ photo: Data, options: [String: String]) throws -> Data { photo }

  func canHandle(_ adjustmentData: AdjustmentData) async -> Bool { adjustmentData.formatIdentifier == Self.format }

  func finishContentEditing(_ session: PhotoEditingSession) async throws -> PhotoEditingOutput? {
    let type = session.input.uniformTypeIdentifier
    let photo = try Data(contentsOf: URL(filePath: session.fullSizeImagePath))
    try edited(photo, options: session.input.options).write(to: URL(filePath: try session.outputPath(for: type)))
    return try session.output(
      type: type, adjustmentData: AdjustmentData(formatIdentifier: Self.format, formatVersion: "1", bytes: [0]))
  }
}
