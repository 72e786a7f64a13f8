public import ExtensionProtocol
import PropertyList

extension ExtensionPoint {
  /// Photo Editing extensions.
  public static let photoEditing = ExtensionPoint(rawValue: "com.apple.photo-editing")
}

extension PhotoEditing: PointContract {
  /// Photo Editing extensions only.
  public static let access = [
    Allowlist.Row("photo/*", [.photoEditing], nil, "Photo calls belong to Photo Editing extensions.")
  ]

  /// `com.apple.photo-editing`, with a ceiling of 256 MiB of memory: an image is large once it is decoded.
  public static let definition = ExtensionPointDefinition(
    .photoEditing, shortName: "photo", role: "for photo editing", plural: "the photo editors", position: 50,
    calls: [
      .request(CanHandleAdjustmentData.self, isOptional: true),
      .request(StartContentEditing.self, transfers: [.fileIn("input.fullSizeImagePath"), .fileIn("placeholder.path")]),
      .request(ShouldShowCancelConfirmation.self, isOptional: true),
      .request(
        FinishContentEditing.self,
        transfers: [.folderIn("outputDirectory"), .fileOut("output.renderedContent.path")]),
      .notification(OutputConsumed.self), .request(CancelContentEditing.self),
    ], limits: ExtensionLimits(memoryMiB: 256),
    manifest: ManifestRules(keys: [
      .words("PHSupportedMediaTypes", among: ["Image", "Video", "LivePhoto"], what: "media type")
        .described(
          "What can be edited: `Image`, `Video`, `LivePhoto`.", as: "array of strings", default: "`Image`",
          example: ["Image"])
    ]))
  /// This one point.
  public static let points = [definition]
}
