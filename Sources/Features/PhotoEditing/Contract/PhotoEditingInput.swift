import Text
public import ExtensionProtocol
import PropertyList

/// The data with which an editor resumes its edit (`PHAdjustmentData`). The host stores it without reading it.
public struct AdjustmentData: Codable, Sendable, Equatable {
  /// The identifier of the data's format, in reverse-DNS style, by which an editor recognises its own.
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

  /// Creates adjustment data from bytes, which are sent as base64. The host refuses an output with more than ``limit``
  /// bytes.
  public init(formatIdentifier: String, formatVersion: String, bytes: [UInt8]) {
    self.init(formatIdentifier: formatIdentifier, formatVersion: formatVersion, data: Base64.encode(bytes))
  }

  /// The data itself; `nil` when ``data`` is not base64.
  public var bytes: [UInt8]? { Base64.decode(data) }
}

/// The input of a Photo Editing extension (`PHContentEditingInput`).
public struct PhotoEditingInput: Codable, Sendable, Equatable {
  /// `PHAssetMediaType`: 0 unknown, 1 image, 2 video, 3 audio.
  @NonNegative<Int> public var mediaType: Int
  /// `PHAssetMediaSubtype` names; empty for a plain image.
  public var mediaSubtypes: [String]
  /// The uniform type identifier of the file, such as `public.jpeg`.
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
  /// The user's choices for the editor, by name. They replace an editor's controls in this project.
  public var options: [String: String]

  /// Creates an input.
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

/// The output of an editor (`PHContentEditingOutput`).
public struct PhotoEditingOutput: Codable, Sendable, Equatable {
  /// The edited photo.
  public struct RenderedContent: Codable, Sendable, Equatable {
    /// Below the scratch directory, in the output directory.
    public var path: String
    /// The uniform type identifier of the file.
    public var type: String

    /// Creates a reference to a file in the output directory.
    public init(path: String, type: String) {
      self.path = path
      self.type = type
    }
  }

  /// The edited photo; the host refuses an output without one.
  public var renderedContent: RenderedContent?
  /// Required, and not the one of the input.
  public var adjustmentData: AdjustmentData?

  /// Creates an output; both members are needed for a photo that is to be saved.
  public init(renderedContent: RenderedContent?, adjustmentData: AdjustmentData?) {
    self.renderedContent = renderedContent
    self.adjustmentData = adjustmentData
  }
}
