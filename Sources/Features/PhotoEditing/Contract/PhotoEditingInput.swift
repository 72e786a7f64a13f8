import Text
public import ExtensionProtocol
import PropertyList

/// What an editor needs to take its edit up again (`PHAdjustmentData`); the host keeps it and does not look inside.
public struct AdjustmentData: Codable, Sendable, Equatable {
  /// Who can read the data, in reverse-DNS style.
  public var formatIdentifier: String
  /// The version of the format; only its writer knows what it means.
  public var formatVersion: String
  /// Base64.
  public var data: String

  /// The largest data, in bytes.
  public static let limit = 2 << 20

  /// - Parameter data: base64.
  public init(formatIdentifier: String, formatVersion: String, data: String) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
  }

  /// Makes adjustment data of bytes, which travel as base64; over ``limit`` the output is refused.
  public init(formatIdentifier: String, formatVersion: String, bytes: [UInt8]) {
    self.init(formatIdentifier: formatIdentifier, formatVersion: formatVersion, data: Base64.encode(bytes))
  }

  /// The data itself; `nil` when ``data`` is not base64.
  public var bytes: [UInt8]? { Base64.decode(data) }
}

/// What a Photo Editing extension edits (`PHContentEditingInput`).
public struct PhotoEditingInput: Codable, Sendable, Equatable {
  /// `PHAssetMediaType`: 0 unknown, 1 image, 2 video, 3 audio.
  @NonNegative<Int> public var mediaType: Int
  /// `PHAssetMediaSubtype` names; empty for a plain image.
  public var mediaSubtypes: [String]
  /// For example `public.jpeg`.
  public var uniformTypeIdentifier: String
  /// The file's own date, in seconds since 1970.
  @Exact<Double?> public var creationDate: Double?
  /// The image in full, below the scratch directory: the original when ``adjustmentData`` is there, else how the photo looks
  /// now.
  public var fullSizeImagePath: String
  /// EXIF orientation, 1 to 8.
  @NonNegative<Int> public var fullSizeImageOrientation: Int
  /// The edit to take up, when the extension said that it can.
  public var adjustmentData: AdjustmentData?
  /// What the user asked the editor for, by name: this project's stand-in for an editor's controls.
  public var options: [String: String]

  /// Makes an input.
  ///
  /// - Parameters:
  ///   - mediaType: `PHAssetMediaType`; an image unless said otherwise.
  ///   - creationDate: seconds since 1970; `nil` when the file does not say.
  ///   - fullSizeImagePath: relative to the scratch directory.
  ///   - fullSizeImageOrientation: EXIF, 1 to 8.
  public init(
    mediaType: Int = 1, mediaSubtypes: [String] = [], uniformTypeIdentifier: String, creationDate: Double? = nil,
    fullSizeImagePath: String, fullSizeImageOrientation: Int = 1, adjustmentData: AdjustmentData? = nil,
    options: [String: String] = [:]
  ) {
    self.mediaType = mediaType
    self.mediaSubtypes = mediaSubtypes
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.creationDate = creationDate
    self.fullSizeImagePath = fullSizeImagePath
    self.fullSizeImageOrientation = fullSizeImageOrientation
    self.adjustmentData = adjustmentData
    self.options = options
  }
}

/// What an editor made (`PHContentEditingOutput`).
public struct PhotoEditingOutput: Codable, Sendable, Equatable {
  /// The edited photo.
  public struct RenderedContent: Codable, Sendable, Equatable {
    /// Below the scratch directory, in the output directory.
    public var path: String
    /// Its uniform type identifier.
    public var type: String

    /// Makes a reference to a file in the output directory.
    public init(path: String, type: String) {
      self.path = path
      self.type = type
    }
  }

  /// The edited photo; the host refuses an output without one.
  public var renderedContent: RenderedContent?
  /// Required, and not the one of the input.
  public var adjustmentData: AdjustmentData?

  /// Makes an output; both members are needed for a photo that is to be saved.
  public init(renderedContent: RenderedContent?, adjustmentData: AdjustmentData?) {
    self.renderedContent = renderedContent
    self.adjustmentData = adjustmentData
  }
}
