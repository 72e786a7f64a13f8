import ImageFile
import CGIF

/// The first frame of a GIF, by giflib.
enum GIFDecoder {
  /// Returns the size of the logical screen.
  static func size(of file: [UInt8]) throws(ImageError) -> PixelSize {
    guard file.count >= 13 else { throw .broken(.gif, "it does not say its size") }
    return PixelSize(width: Int(file[7]) << 8 | Int(file[6]), height: Int(file[9]) << 8 | Int(file[8]))
  }

  /// What the frame does not cover is transparent, and what it has beyond the screen is left out.
  static func decode(_ file: [UInt8], limits: ImageLimits) throws(ImageError) -> Bitmap {
    let size = try size(of: file)
    let result: Result<Bitmap, ImageError> = unsafe file.withUnsafeBufferPointer { bytes in
      var source = unsafe GIFSource(rest: bytes[...])
      return unsafe withUnsafeMutablePointer(to: &source) { source in
        do throws(ImageError) {
          var frame = try unsafe GIFFrame(source)
          defer { frame.close() }
          return .success(try frame.decode(on: size, limits: limits))
        } catch {
          return .failure(error)
        }
      }
    }
    return try result.get()
  }
}

/// Bytes that giflib has not read yet.
@unsafe private struct GIFSource {
  var rest: Slice<UnsafeBufferPointer<UInt8>>

  mutating func read(_ buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
    let part = unsafe rest.prefix(max(0, count))
    for unsafe(index, byte) in unsafe part.enumerated() { unsafe buffer[index] = byte }
    unsafe rest = unsafe rest.dropFirst(part.count)
    return unsafe part.count
  }
}

/// A file that giflib reads, as far as its first frame.
@safe private struct GIFFrame {
  private let file: UnsafeMutablePointer<GifFileType>
  private var transparentIndex = -1

  /// - Parameter source: lives until the frame is closed.
  @unsafe init(_ source: UnsafeMutablePointer<GIFSource>) throws(ImageError) {
    var status: Int32 = 0
    let file = unsafe DGifOpen(
      source,
      { file, buffer, count in
        guard let file = unsafe file, let buffer = unsafe buffer, let source = unsafe file.pointee.UserData else {
          return 0
        }
        return unsafe Int32(source.assumingMemoryBound(to: GIFSource.self).pointee.read(buffer, Int(count)))
      }, &status)
    guard let file = unsafe file else { throw Self.failure(status) }
    unsafe self.file = file
  }

  func close() { _ = unsafe DGifCloseFile(file, nil) }

  mutating func decode(on screen: PixelSize, limits: ImageLimits) throws(ImageError) -> Bitmap {
    while true {
      var record = UNDEFINED_RECORD_TYPE
      guard unsafe DGifGetRecordType(file, &record) == GIF_OK else { throw failure() }
      switch record {
      case EXTENSION_RECORD_TYPE: try readExtension()
      case IMAGE_DESC_RECORD_TYPE: return try readImage(on: screen, limits: limits)
      default: throw .broken(.gif, "it has no frame")
      }
    }
  }

  private mutating func readExtension() throws(ImageError) {
    var (code, block): (Int32, UnsafeMutablePointer<UInt8>?) = (0, nil)
    guard unsafe DGifGetExtension(file, &code, &block) == GIF_OK else { throw failure() }
    while let bytes = unsafe block {
      // The length comes first. A graphic control has flags, a delay of two bytes, and the index.
      if code == GRAPHICS_EXT_FUNC_CODE, unsafe bytes[0] == 4 {
        transparentIndex = unsafe bytes[1] & 1 == 1 ? Int(bytes[4]) : -1
      }
      guard unsafe DGifGetExtensionNext(file, &block) == GIF_OK else { throw failure() }
    }
  }

  private func readImage(on screen: PixelSize, limits: ImageLimits) throws(ImageError) -> Bitmap {
    guard unsafe DGifGetImageDesc(file) == GIF_OK else { throw failure() }
    let image = unsafe file.pointee.Image
    let size = unsafe PixelSize(width: Int(image.Width), height: Int(image.Height))
    try limits.check(size)
    let colours = unsafe colours(image.ColorMap ?? file.pointee.SColorMap)
    guard !colours.isEmpty else { throw .broken(.gif, "it has no colours") }
    let (left, top) = unsafe (Int(image.Left), Int(image.Top))
    var pixels = [Pixel](repeating: Pixel(), count: screen.width * screen.height)
    var line = [UInt8](repeating: 0, count: size.width)
    let width = max(0, min(size.width, screen.width - left))
    for row in unsafe rows(size.height, isInterlaced: image.Interlace) {
      guard unsafe DGifGetLine(file, &line, Int32(size.width)) == GIF_OK else { throw failure() }
      guard top + row < screen.height else { continue }
      let start = (top + row) * screen.width + left
      for column in 0..<width {
        let index = Int(line[column])
        if index != transparentIndex, index < colours.count { pixels[start + column] = colours[index] }
      }
    }
    return Bitmap(screen, pixels: pixels)
  }

  /// The rows in the order of the file.
  private func rows(_ count: Int, isInterlaced: Bool) -> [Int] {
    guard isInterlaced else { return Array(0..<count) }
    return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: count, by: $0.1)) }
  }

  @unsafe private func colours(_ map: UnsafeMutablePointer<ColorMapObject>?) -> [Pixel] {
    guard let map = unsafe map?.pointee, let colours = unsafe map.Colors else { return [] }
    return unsafe UnsafeBufferPointer(start: colours, count: max(0, Int(map.ColorCount))).map {
      Pixel($0.Red, $0.Green, $0.Blue, 255)
    }
  }

  private func failure() -> ImageError { unsafe Self.failure(file.pointee.Error) }

  private static func failure(_ status: Int32) -> ImageError {
    .broken(.gif, unsafe GifErrorString(status).map { unsafe String(cString: $0) } ?? "it is cut short")
  }
}
