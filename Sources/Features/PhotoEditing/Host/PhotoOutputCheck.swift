import Contracts
import ExtensionProtocol
import Files
import ImageFile
import JSON

/// Looks at what an extension made before anything is saved.
struct PhotoOutputCheck {
  let extensionName: String
  /// The data of the photo's last edit, whether or not the extension received it.
  let earlier: AdjustmentData?
  let outputDirectory: String
  let supportedTypes: [String]
  /// Reads a file that the extension names.
  let take: (_ path: String) throws(ExtensionError) -> [UInt8]

  /// - Returns: the edited photo, safe to save.
  func bytes(of output: PhotoEditingOutput) throws(ExtensionError) -> (bytes: [UInt8], adjustment: AdjustmentData) {
    let adjustment = try checked(output.adjustmentData)
    guard let content = output.renderedContent else { throw error(.outputMissing) }
    guard content.path.isBelow(outputDirectory) else {
      throw error(.outputNotReadable, "\(extensionName) wrote its photo outside the output directory.")
    }
    let bytes = try read(content.path)
    guard !bytes.isEmpty else { throw error(.outputMissing) }
    guard supportedTypes.contains(content.type), MediaFormat(bytes)?.rawValue == content.type else {
      throw error(.wrongFormat)
    }
    guard ImageOrientation.of(bytes) == 1 else { throw error(.orientationNotNormalised) }
    return (bytes, adjustment)
  }

  private func read(_ path: String) throws(ExtensionError) -> [UInt8] {
    do {
      return try take(path)
    } catch let failure {
      if failure.details["missing"] == true { throw error(.outputMissing) }
      throw error(.outputNotReadable, failure.message)
    }
  }

  private func checked(_ data: AdjustmentData?) throws(ExtensionError) -> AdjustmentData {
    guard let data else { throw error(.adjustmentDataMissing) }
    guard let bytes = data.bytes, !bytes.isEmpty, !data.formatIdentifier.isEmpty, !data.formatVersion.isEmpty else {
      throw error(.adjustmentDataEmpty)
    }
    guard bytes.count <= AdjustmentData.limit else { throw error(.adjustmentDataTooLarge) }
    guard data != earlier else { throw error(.adjustmentDataReused) }
    return data
  }

  private func error(_ refusal: PhotoEditingRefusal, _ detail: String? = nil) -> ExtensionError {
    refusal.error(of: extensionName, detail)
  }
}
