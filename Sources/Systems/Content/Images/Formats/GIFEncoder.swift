import ImageFile
import CGIF

/// A GIF of one frame, by giflib.
enum GIFEncoder {
  /// Writes at most 256 colours; what is less than half opaque becomes transparent.
  static func encode(_ bitmap: Bitmap) throws(ImageError) -> [UInt8] {
    let indexed = IndexedBitmap(bitmap.withoutHalfTransparency, colours: 256)
    var target = GIFTarget()
    let isWritten = unsafe withUnsafeMutablePointer(to: &target) { target in
      var status: Int32 = 0
      guard
        let file = unsafe EGifOpen(
          target,
          { file, bytes, count in
            guard let bytes = unsafe bytes, let target = unsafe file?.pointee.UserData else { return 0 }
            let part = unsafe UnsafeBufferPointer(start: bytes, count: Int(count))
            unsafe target.assumingMemoryBound(to: GIFTarget.self).pointee.bytes += unsafe part
            return count
          }, &status)
      else { return false }
      let isWritten = unsafe write(indexed, size: bitmap.size, to: file)
      return unsafe EGifCloseFile(file, &status) == GIF_OK && isWritten
    }
    guard isWritten else { throw .notWritten(.gif, "giflib refused it") }
    return target.bytes
  }

  private static func write(
    _ indexed: IndexedBitmap, size: PixelSize, to file: UnsafeMutablePointer<GifFileType>
  ) -> Bool {
    // The number of colours is a power of two.
    let bits = GifBitSize(Int32(max(2, indexed.palette.count)))
    var colours = indexed.palette.map { GifColorType(Red: $0.x, Green: $0.y, Blue: $0.z) }
    while colours.count < 1 << bits { colours.append(GifColorType(Red: 0, Green: 0, Blue: 0)) }
    guard let map = unsafe GifMakeMapObject(1 << bits, colours) else { return false }
    defer { unsafe GifFreeMapObject(map) }
    let (width, height) = (Int32(size.width), Int32(size.height))
    unsafe EGifSetGifVersion(file, true)
    guard unsafe EGifPutScreenDesc(file, width, height, bits, 0, map) == GIF_OK else { return false }
    if let clear = indexed.palette.firstIndex(where: { $0.w == 0 }) {
      let control: [UInt8] = [1, 0, 0, UInt8(clear)]
      guard unsafe EGifPutExtension(file, Int32(GRAPHICS_EXT_FUNC_CODE), 4, control) == GIF_OK else { return false }
    }
    guard unsafe EGifPutImageDesc(file, 0, 0, width, height, false, nil) == GIF_OK else { return false }
    var indices = indexed.indices
    for row in 0..<size.height {
      let isWritten = unsafe indices.withUnsafeMutableBufferPointer { buffer in
        unsafe EGifPutLine(file, buffer.baseAddress?.advanced(by: row * size.width), width) == GIF_OK
      }
      guard isWritten else { return false }
    }
    return true
  }
}

/// What giflib has written.
private struct GIFTarget {
  var bytes: [UInt8] = []
}

extension Bitmap {
  fileprivate var withoutHalfTransparency: Bitmap {
    if isOpaque { return self }
    return Bitmap(
      size, pixels: pixels.map { $0.w < 128 ? Pixel() : Pixel($0.x, $0.y, $0.z, 255) })
  }
}
