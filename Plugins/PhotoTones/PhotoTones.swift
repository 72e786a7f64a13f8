import AppExtensions

/// A photo editor that changes tones: `tone` is `sepia`, `mono` or `none`, `brightness` goes from -100 to 100. It edits
/// JPEG and PNG images, turns them upright, and can take its own edits up again.
@main
struct PhotoTones: PhotoEditingExtension {
  func canHandle(_ adjustmentData: AdjustmentData) async -> Bool { Tones(adjustmentData) != nil }

  func startContentEditing(_ session: PhotoEditingSession) async throws { _ = try tones(for: session) }

  func finishContentEditing(_ session: PhotoEditingSession) async throws -> PhotoEditingOutput? {
    let tones = try tones(for: session)
    guard tones != session.input.adjustmentData.flatMap(Tones.init) else { return nil }
    let type = session.input.uniformTypeIdentifier == "public.png" ? "public.png" : "public.jpeg"
    var image = try Bitmap(contentsOf: session.fullSizeImagePath, type: session.input.uniformTypeIdentifier)
    image = image.upright(from: session.input.fullSizeImageOrientation)
    try Task.checkCancellation()
    tones.apply(to: &image)
    try image.write(to: session.outputPath(for: type), type: type)
    return try session.output(type: type, adjustmentData: tones.adjustmentData)
  }

  /// Cancelling loses something when the user asked for something.
  func shouldShowCancelConfirmation(_ session: PhotoEditingSession) async -> Bool { !session.input.options.isEmpty }

  /// The tones of the edit that is taken up, changed as the user asks.
  private func tones(for session: PhotoEditingSession) throws -> Tones {
    var tones = session.input.adjustmentData.flatMap(Tones.init) ?? Tones()
    for (name, value) in session.input.options { try tones.set(name, to: value) }
    return tones
  }
}
