package import Conformance
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON

/// Photo Editing extensions.
package enum PhotoEditingConformance: ConformanceFeature {
  /// The checks of a Photo Editing extension, in the order in which they run.
  package static let checks = [
    ConformanceCheck(
      "photo-adjustments", "photo/canHandleAdjustmentData is answered with canHandle.",
      advice: "Answer {\"canHandle\":true} for formats that you wrote, false for all others.", points: [.photoEditing]
    ) { context in
      try await context.withExtension { process in
        let strange = PhotoEditing.CanHandleAdjustmentData(
          AdjustmentData(formatIdentifier: "org.annex.conformance", formatVersion: "1", data: "AQID"))
        let answer = try await process.call(strange, deadline: context.timeout)
        if answer.canHandle { throw CheckFailure("It says that it can read adjustments of a format of our own.") }
        return nil
      }
    },
    ConformanceCheck(
      "photo-cancel", "An editing session begins with a photo, and ends when it is cancelled.",
      advice: "Answer photo/startContentEditing and photo/cancelContentEditing with {}.", points: [.photoEditing]
    ) { context in
      try await context.withExtension { process in
        let editor = PhotoEditor(process)
        _ = try await editor.start(EditablePhoto(current: SmallPhoto.png))
        let asks = await editor.shouldShowCancelConfirmation()
        try await editor.cancel()
        return asks ? "asks before it gives up" : nil
      }
    },
    ConformanceCheck(
      "photo-finish", "A session that is finished gives an image with new adjustments, or nothing.",
      advice: "Write the image below outputDirectory, in one of supportedTypes, and return adjustmentData of your own.",
      points: [.photoEditing]
    ) { context in
      try await context.withExtension { process in
        let editor = PhotoEditor(process)
        _ = try await editor.start(EditablePhoto(current: SmallPhoto.png))
        guard let edited = try await editor.finish(deadline: context.timeout * 2) else { return "nothing to save" }
        await editor.consumed(saved: true)
        return "\(edited.bytes.count) bytes, \(edited.type)"
      }
    },
  ]
}

/// The smallest photo: one red pixel.
private enum SmallPhoto {
  /// PNG, RGB, 1 by 1.
  static let png: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xDE, 0x00, 0x00, 0x00, 0x0C, 0x49,
    0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0xF8, 0xCF, 0xC0, 0x00, 0x00, 0x03, 0x01, 0x01, 0x00, 0xF7, 0x03, 0x41, 0x43,
    0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ]
}
