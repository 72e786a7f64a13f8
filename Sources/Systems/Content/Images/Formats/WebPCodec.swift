import ImageFile
import CWebP

/// WebP by libwebp: reads and writes single pictures.
enum WebPCodec {
  struct Features {
    var size: PixelSize
    var isLossless: Bool
  }

  static func features(of file: [UInt8]) throws(ImageError) -> Features {
    var features = WebPBitstreamFeatures()
    let status = unsafe WebPGetFeatures(file, file.count, &features)
    guard status == VP8_STATUS_OK else { throw .broken(.webp, "its beginning is damaged") }
    guard features.has_animation == 0 else { throw .broken(.webp, "it is animated, which is not supported") }
    return Features(
      size: PixelSize(width: Int(features.width), height: Int(features.height)), isLossless: features.format == 2)
  }

  static func decode(_ file: [UInt8], size: PixelSize) throws(ImageError) -> Bitmap {
    let bitmap = unsafe Bitmap(size) { pixels in
      unsafe WebPDecodeRGBAInto(file, file.count, pixels.baseAddress, pixels.count, Int32(size.width * 4)) != nil
    }
    guard let bitmap else { throw .broken(.webp, "its pixels are damaged or cut short") }
    return bitmap
  }

  static func encode(_ bitmap: Bitmap, quality: Int) throws(ImageError) -> [UInt8] {
    try unsafe written(bitmap) { pixels, stride, output in
      let (width, height) = (Int32(bitmap.size.width), Int32(bitmap.size.height))
      return unsafe WebPEncodeRGBA(pixels, width, height, stride, Float(quality), output)
    }
  }

  static func encodeLossless(_ bitmap: Bitmap) throws(ImageError) -> [UInt8] {
    try unsafe written(bitmap) { pixels, stride, output in
      let (width, height) = (Int32(bitmap.size.width), Int32(bitmap.size.height))
      return unsafe WebPEncodeLosslessRGBA(pixels, width, height, stride, output)
    }
  }

  private static func written(
    _ bitmap: Bitmap,
    _ encode: (UnsafePointer<UInt8>, Int32, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int
  ) throws(ImageError) -> [UInt8] {
    var output: UnsafeMutablePointer<UInt8>?
    defer { unsafe WebPFree(output) }
    let count = unsafe bitmap.withBytes { unsafe encode($0, Int32(bitmap.size.width * 4), &output) }
    guard count > 0, let output = unsafe output else { throw .notWritten(.webp, "libwebp refused it") }
    return unsafe Array(UnsafeBufferPointer(start: output, count: count))
  }
}
