public import ExtensionProtocol

extension Content {
  /// `content/image`: fetches a picture of the configured server, from the cache where it is fresh.
  public struct Image: RemoteMethod {
    /// The wire name; extensions call it. A picture that is not there, or no picture, is `contentFailed`; one of another
    /// server is `invalidParams`.
    public static let method = "content/image"

    /// The picture, in a file of the caller's.
    public struct Result: Codable, Sendable, Equatable {
      /// In the scratch directory, by its path relative to it.
      public var file: String
      /// By the bytes: `image/jpeg`, `image/png`, `image/gif` or `image/webp`.
      public var mimeType: String
      /// The length of the file.
      @NonNegative<Int> public var bytes: Int
      /// Where the picture came from.
      public var source: Source
      /// Seconds since the picture left its server.
      @NonNegative<Int> public var ageSeconds: Int

      /// Names a file in the caller's scratch directory, with what is known of it.
      public init(file: String, mimeType: String, bytes: Int, source: Source, ageSeconds: Int = 0) {
        self.file = file
        self.mimeType = mimeType
        self.bytes = bytes
        self.source = source
        self.ageSeconds = ageSeconds
      }
    }

    /// The most pixels of a side that may be asked for.
    public static let longestSide = 16_384

    /// A `_dynamicUrl` or a `_path`, as a query answered it.
    public var path: String
    /// Pixels; the height follows. Counts for a `_dynamicUrl` alone, as do the next three.
    @Length<Int?> public var width: Int?
    /// Pixels; the width follows.
    @Length<Int?> public var height: Int?
    /// One of AEM's formats: `JPG`, `PNG`, `GIF`, `WEBP`, and their variants.
    public var format: String?
    /// From 1 to 100.
    @Length<Int?> public var quality: Int?
    /// Whether the server is to answer, or to confirm what the cache has.
    public var refresh: Bool?

    /// Makes the params; without anything but the path the picture comes as the server has it.
    public init(
      path: String, width: Int? = nil, height: Int? = nil, format: String? = nil, quality: Int? = nil,
      refresh: Bool? = nil
    ) {
      self.path = path
      self.width = width
      self.height = height
      self.format = format
      self.quality = quality
      self.refresh = refresh
    }
  }
}
