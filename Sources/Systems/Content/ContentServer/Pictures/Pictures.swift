import ImageFile
internal import ContentRepository
internal import Files
internal import Images
internal import Synchronization

/// The files of assets and their renditions: read and made on threads of their own, the renditions kept for a while.
final class Pictures: Sendable {
  /// The file and header fields that the server sends for an asset.
  struct Served: Sendable {
    let bytes: [UInt8]
    let mimeType: String
    let tag: String
  }

  /// The reason for which an asset has no file.
  enum Fault: Error {
    /// The file is gone, or cannot be read.
    case unreadable
    /// The asset is no picture, or a broken one, or the rendition is not possible.
    case notRendered(String)
  }

  private struct Key: Hashable {
    let generation: UInt64
    let id: String
    /// The transformation; nil for the unchanged file.
    let transform: ImageTransformKey?
  }

  /// The running renditions, at most two, so that they occupy no more than two cores.
  private let queue = RenderQueue(most: 2)
  private let kept = Mutex(BoundedCache<Key, Served>(mostBytes: 64 << 20, most: 4096))
  private let limits = ImageLimits(pixels: 50_000_000, renditionPixels: 16_777_216)

  /// - Parameter generation: of the content: what was made of another is not sent.
  func serve(
    _ asset: ContentAsset, as transform: ImageTransform?, generation: UInt64
  ) async throws(Fault) -> Served {
    let key = Key(generation: generation, id: asset.id, transform: transform.map { ImageTransformKey($0) })
    if let made = kept.withLock({ $0.value(key) }) { return made }
    let outcome: Result<Served, Fault> = await queue.run { [self] in
      // Several may have asked for it at once.
      if let made = kept.withLock({ $0.value(key) }) { return .success(made) }
      guard transform != nil else { return whole(asset, generation) }
      let outcome = make(asset, transform, generation)
      if case .success(let made) = outcome { kept.withLock { $0.keep(made, bytes: made.bytes.count, for: key) } }
      return outcome
    }
    return try outcome.get()
  }

  private func make(
    _ asset: ContentAsset, _ transform: ImageTransform?, _ generation: UInt64
  ) -> Result<Served, Fault> {
    let file: [UInt8]
    // Drawing takes longer than everything else: one drawing is enough for all of its renditions.
    if case .drawn = asset.source, transform != nil,
      case .success(let drawn) = whole(asset, generation)
    {
      file = drawn.bytes
    } else {
      do throws(FileError) { file = try asset.bytes() } catch { return .failure(.unreadable) }
    }
    guard let transform = transform ?? Self.correction(of: asset, file) else {
      return .success(Served(bytes: file, mimeType: asset.mimeType, tag: EntityTag.of(file)))
    }
    do throws(ImageError) {
      let made = try ImageRendering.render(file, as: transform, limits: limits)
      return .success(Served(bytes: made.bytes, mimeType: made.format.mimeType, tag: EntityTag.of(made.bytes)))
    } catch {
      return .failure(.notRendered(error.description))
    }
  }

  /// Returns the unchanged file of an asset, from the cache or from its source.
  private func whole(_ asset: ContentAsset, _ generation: UInt64) -> Result<Served, Fault> {
    let key = Key(generation: generation, id: asset.id, transform: nil)
    if let made = kept.withLock({ $0.value(key) }) { return .success(made) }
    let outcome = make(asset, nil, generation)
    if case .success(let made) = outcome { kept.withLock { $0.keep(made, bytes: made.bytes.count, for: key) } }
    return outcome
  }

  /// What is drawn has one format, whatever the asset's name says.
  private static func correction(of asset: ContentAsset, _ file: [UInt8]) -> ImageTransform? {
    guard case .drawn = asset.source, let format = ImageFormat(file), format.mimeType != asset.mimeType else {
      return nil
    }
    let wanted: [String: ImageTransform.Format] = [
      "image/jpeg": .JPG, "image/webp": .WEBP, "image/gif": .GIF, "image/png": .PNG,
    ]
    return wanted[asset.mimeType].map { ImageTransform(format: $0) }
  }
}

/// A transform as the key of a cache.
struct ImageTransformKey: Hashable {
  private let parts: [String]

  init(_ transform: ImageTransform) {
    let numbers: [Int?] = [
      transform.crop?.xOrigin, transform.crop?.yOrigin, transform.crop?.width, transform.crop?.height,
      transform.size?.width, transform.size?.height, transform.quality, transform.width,
    ]
    parts =
      [transform.format?.rawValue, transform.rotation?.rawValue, transform.flip?.rawValue].map { $0 ?? "" }
      + numbers.map { $0.map { "\($0)" } ?? "" }
  }
}
