public import ExtensionProtocol

extension ExtensionPoint {
  /// Photo Editing extensions.
  public static let photoEditing = ExtensionPoint(rawValue: "com.apple.photo-editing")
}

extension PhotoEditing {
  /// Photo Editing extensions only.
  public static let access = [
    Allowlist.Row("photo/*", [.photoEditing], nil, "Photo calls belong to Photo Editing extensions.")
  ]

  /// `com.apple.photo-editing`, with a ceiling of 256 MiB of memory: an image is large once it is decoded.
  public static let points = [
    ExtensionPointDefinition(
      .photoEditing, shortName: "photo", role: "for photo editing", plural: "the photo editors", position: 50,
      limits: ExtensionLimits(memoryMiB: 256),
      manifest: ManifestRules(keys: [
        .words("PHSupportedMediaTypes", among: ["Image", "Video", "LivePhoto"], what: "media type")
      ]))
  ]
}
