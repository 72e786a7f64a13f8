public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSON

/// `content/…`: runs persisted queries and fetches pictures for extensions, by the functions that the embedder gives.
public struct ContentService: HostService {
  /// The methods that are served, those under `content/`.
  public typealias Contract = Content
  /// Runs one persisted query. What it throws reaches the extension.
  public typealias Fetch = @Sendable (_ asked: Content.Execute) async throws -> Content.Execute.Result
  /// Fetches one picture. What it throws reaches the extension.
  public typealias FetchImage = @Sendable (_ asked: Content.Image) async throws -> ContentPicture

  private let fetch: Fetch
  private let fetchImage: FetchImage?

  /// Serves content of any server.
  ///
  /// - Parameters:
  ///   - fetch: runs one query; its path, and that the caller may run it, are checked before.
  ///   - image: fetches a picture of the same server, and of no other; without it there are no pictures.
  public init(fetch: @escaping Fetch, image: FetchImage? = nil) {
    self.fetch = fetch
    fetchImage = image
  }

  /// Answers the methods with what the embedder's functions give.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(Content.Execute.self) { params, caller in
      try Self.check(params.query, for: caller.identity)
      return try await fetch(params)
    }
    Handler(Content.Image.self) { params, caller in
      guard let fetchImage else {
        throw ExtensionError(.serviceUnavailable, "There are no pictures here.")
      }
      try Self.check(params)
      let picture = try await fetchImage(params)
      let file = try caller.grant(picture.bytes, name: "picture")
      return Content.Image.Result(
        file: file, mimeType: picture.mimeType, bytes: picture.bytes.count, source: picture.source,
        ageSeconds: picture.ageSeconds)
    }
  }

  /// Two path segments without anything that could leave them, which the manifest allows.
  private static func check(_ query: String, for identity: Caller.Identity) throws(ExtensionError) {
    guard ContentQueryPattern.isPath(query) else {
      throw ExtensionError(
        .invalidParams, "\"\(query.prefix(200))\" is not the path of a persisted query.",
        recovery: "Write it as configuration/query, for example wknd-shared/adventures-all.")
    }
    guard let allowed = identity.contentQueries, !allowed.contains(where: { $0.allows(query) }) else { return }
    throw ExtensionError(
      .permissionDenied, "The manifest of \(identity.id) does not name the query \"\(query)\".",
      recovery: "Add it to Annex.Content.",
      details: ["extension": .string(identity.id), "query": .string(query)])
  }

  private static func check(_ image: Content.Image) throws(ExtensionError) {
    guard (1...8192).contains(image.path.utf8.count), !image.path.unicodeScalars.contains(where: { $0.value < 0x20 })
    else {
      throw ExtensionError(
        .invalidParams, "A picture has a path of 1 to 8,192 bytes, without control characters.",
        recovery: "Give the _dynamicUrl or the _path that a query answered.")
    }
    for (name, side) in [("width", image.width), ("height", image.height)] {
      if let side, !(1...Content.Image.longestSide).contains(side) {
        throw ExtensionError(.invalidParams, "The \(name) is 1 to \(Content.Image.longestSide) pixels.")
      }
    }
    if let quality = image.quality, !(1...100).contains(quality) {
      throw ExtensionError(.invalidParams, "The quality is 1 to 100.")
    }
  }
}

/// A picture that an embedder gives.
public struct ContentPicture: Sendable {
  /// The file.
  public var bytes: [UInt8]
  /// `image/jpeg`, `image/png`, `image/gif` or `image/webp`.
  public var mimeType: String
  /// Whether it comes from the server or the cache.
  public var source: Content.Source
  /// Seconds since it left its server.
  public var ageSeconds: Int

  /// Creates a picture of its file.
  public init(bytes: [UInt8], mimeType: String, source: Content.Source, ageSeconds: Int = 0) {
    self.bytes = bytes
    self.mimeType = mimeType
    self.source = source
    self.ageSeconds = ageSeconds
  }
}
