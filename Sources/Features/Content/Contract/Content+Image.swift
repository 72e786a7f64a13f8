public import ExtensionProtocol

extension Content {
  /// `content/image`: fetches a picture from the configured server, or from the cache while it is fresh.
  public struct Image: RemoteMethod {
    /// The wire name; extensions call it. A picture that is not there, or no picture, is `contentFailed`; one of another
    /// server is `invalidParams`.
    public static let method = "content/image"

    /// The picture, in a file of the caller's.
    public struct Result: Codable, Sendable, Equatable {
      /// In the scratch directory, by its path relative to it.
      public var file: String
      /// The type, determined from the bytes: `image/jpeg`, `image/png`, `image/gif` or `image/webp`.
      public var mimeType: String
      /// The length of the file.
      @NonNegative<Int> public var bytes: Int
      /// Whether the picture comes from the server or the cache.
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
    /// A format of AEM: `JPG`, `PNG`, `GIF`, `WEBP`, or a variant.
    public var format: String?
    /// From 1 to 100.
    @Length<Int?> public var quality: Int?
    /// Whether the server is to answer, or to confirm what the cache has.
    public var refresh: Bool?

    /// Creates the params; with the path alone, the server's original picture is fetched.
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
