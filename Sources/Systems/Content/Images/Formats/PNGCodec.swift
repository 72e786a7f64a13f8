import ImageFile
import CPNG
import Glibc

/// PNG by the simplified interface of libpng, which keeps its `longjmp` within the library.
enum PNGCodec {
  /// The header has to come first, and is nowhere else.
  static func size(of file: [UInt8]) throws(ImageError) -> PixelSize {
    guard file.count >= 33, file[12..<16].elementsEqual("IHDR".utf8) else {
      throw .broken(.png, "it does not say its size")
    }
    func number(_ range: Range<Int>) -> Int { file[range].reduce(0) { $0 << 8 | Int($1) } }
    return PixelSize(width: number(16..<20), height: number(20..<24))
  }

  static func decode(_ file: [UInt8], size: PixelSize) throws(ImageError) -> Bitmap {
    if file.count > 28, file[24] == 16, file[28] == 1 { return try decodeLight(file, size: size) }
    return try unsafe decoded(file, size, format: cpng_format_rgba) { header in
      unsafe Bitmap(size) { pixels in unsafe png_image_finish_read(&header, nil, pixels.baseAddress, 0, nil) != 0 }
    }
  }

  /// Reads a picture as 16 bits a channel of linear light, multiplied by alpha. Some versions of libpng corrupt
  /// interlaced pictures of 16 bits when they convert them to 8 bits.
  private static func decodeLight(_ file: [UInt8], size: PixelSize) throws(ImageError) -> Bitmap {
    try unsafe decoded(file, size, format: cpng_format_linear_rgba) { header in
      var light = [SIMD4<UInt16>](repeating: SIMD4(), count: size.width * size.height)
      let isRead = unsafe light.withUnsafeMutableBytes { bytes in
        unsafe png_image_finish_read(&header, nil, bytes.baseAddress, 0, nil) != 0
      }
      return isRead ? Bitmap(size, pixels: light.map(pixel)) : nil
    }
  }

  private static func pixel(of light: SIMD4<UInt16>) -> Pixel {
    if light.w == 0 { return Pixel() }
    let alpha = UInt32(light.w)
    var colours = (SIMD4<UInt32>(truncatingIfNeeded: light) &* 65_535 &+ alpha / 2) / alpha
    colours.replace(with: 65_535, where: colours .> 65_535)
    let opacity = UInt8((alpha * 255 + 32_767) / 65_535)
    return Pixel(gamma[Int(colours.x)], gamma[Int(colours.y)], gamma[Int(colours.z)], opacity)
  }

  /// Eight bits for each linear light, by the gamma that libpng takes for that of files.
  private static let gamma = (0...65_535).map { UInt8((pow(Double($0) / 65_535, 1 / 2.2) * 255).rounded()) }

  @unsafe private static func decoded(
    _ file: [UInt8], _ size: PixelSize, format: UInt32, _ read: (inout png_image) -> Bitmap?
  ) throws(ImageError) -> Bitmap {
    var header = unsafe cpng_image()
    // It reads from the bytes again and again until it is freed.
    let bitmap: Bitmap? = unsafe file.withUnsafeBytes { bytes in
      defer { unsafe png_image_free(&header) }
      guard unsafe png_image_begin_read_from_memory(&header, bytes.baseAddress, bytes.count) != 0,
        unsafe header.width == size.width && header.height == size.height
      else { return nil }
      unsafe header.format = format
      // Without the flag libpng takes 16 bits without a gamma for linear light, which no program writes.
      unsafe header.flags |= cpng_16_bits_are_srgb
      return unsafe read(&header)
    }
    guard let bitmap else { throw .broken(.png, unsafe message(of: header)) }
    return bitmap
  }

  static func encode(_ bitmap: Bitmap) throws(ImageError) -> [UInt8] {
    if !bitmap.isOpaque {
      return try unsafe bitmap.withBytes { pixels in
        unsafe write(bitmap.size, format: cpng_format_rgba, pixels: pixels, palette: [])
      }.get()
    }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: bitmap.pixels.count * 3) { buffer, count in
      for pixel in bitmap.pixels {
        for channel in 0..<3 { unsafe buffer[count + channel] = pixel[channel] }
        count += 3
      }
    }
    return try unsafe write(bitmap.size, format: cpng_format_rgb, pixels: bytes, palette: []).get()
  }

  /// Writes at most 256 colours, each with its own alpha.
  static func encodePalette(_ bitmap: Bitmap) throws(ImageError) -> [UInt8] {
    let indexed = IndexedBitmap(bitmap, colours: 256)
    return try unsafe write(
      bitmap.size, format: cpng_format_rgba_colormap, pixels: indexed.indices, palette: indexed.palette
    ).get()
  }

  private static func write(
    _ size: PixelSize, format: UInt32, pixels: UnsafePointer<UInt8>, palette: [Pixel]
  ) -> Result<[UInt8], ImageError> {
    var header = unsafe cpng_image()
    defer { unsafe png_image_free(&header) }
    unsafe (header.width, header.height, header.format) = (UInt32(size.width), UInt32(size.height), format)
    unsafe header.colormap_entries = UInt32(palette.count)
    let room = unsafe cpng_file_size_max(&header)
    let file = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      var written = room
      let isWritten = unsafe png_image_write_to_memory(&header, buffer.baseAddress, &written, 0, pixels, 0, palette)
      count = isWritten != 0 && written <= room ? written : 0
    }
    // Not the room that was needed at most, for as long as the file is kept.
    return file.isEmpty ? .failure(.notWritten(.png, unsafe message(of: header))) : .success(Array(file[...]))
  }

  private static func message(of image: png_image) -> String {
    unsafe withUnsafeBytes(of: image.message) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
