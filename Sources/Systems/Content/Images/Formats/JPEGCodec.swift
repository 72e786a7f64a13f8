import ImageFile
import CTurboJPEG

/// JPEG by libjpeg-turbo. Its own interface reports errors by status, so no `longjmp` crosses Swift frames.
enum JPEGCodec {
  /// - Parameter reduction: by what the sides are divided: 1, 2, 4 or 8.
  static func decode(_ file: [UInt8], _ header: JPEGHeader, reduction: Int) throws(ImageError) -> Bitmap {
    guard let decoder = unsafe tjInitDecompress() else { throw .broken(.jpeg, "libjpeg-turbo does not start") }
    defer { _ = unsafe tjDestroy(decoder) }
    let size = PixelSize(
      width: (header.size.width + reduction - 1) / reduction, height: (header.size.height + reduction - 1) / reduction)
    let isCMYK = header.components == 4
    let format = isCMYK ? TJPF_CMYK : TJPF_RGBA
    var warning = ""
    // At the first warning, because only the last is kept: a file that ends early is refused. Viewers show files with
    // other warnings, so these are read again.
    for flags in [TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING, TJFLAG_LIMITSCANS] {
      let bitmap = unsafe Bitmap(size, isOpaque: true) { pixels in
        unsafe tjDecompress2(
          decoder, file, UInt(file.count), pixels.baseAddress, Int32(size.width), Int32(size.width * 4),
          Int32(size.height), Int32(format.rawValue), Int32(flags)) == 0
          || (flags & TJFLAG_STOPONWARNING == 0 && isWarned(decoder))
      }
      if var bitmap {
        if isCMYK { bitmap.convertCMYK(isInverted: header.hasAdobeMark) }
        return bitmap
      }
      warning = unsafe String(cString: tjGetErrorStr2(decoder))
      guard unsafe isWarned(decoder) else { break }
    }
    throw .broken(.jpeg, warning)
  }

  /// Whether the pixels are there, although something is wrong with the file.
  private static func isWarned(_ decoder: tjhandle) -> Bool {
    unsafe tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue)
      && !String(cString: tjGetErrorStr2(decoder)).contains("remature end")
  }

  static func encode(_ bitmap: Bitmap, quality: Int, isProgressive: Bool) throws(ImageError) -> [UInt8] {
    guard let encoder = unsafe tjInitCompress() else { throw .notWritten(.jpeg, "libjpeg-turbo does not start") }
    var (buffer, count): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
    defer {
      unsafe tjFree(buffer)
      _ = unsafe tjDestroy(encoder)
    }
    let sampling = quality < 90 ? TJSAMP_420 : TJSAMP_444
    let flat = bitmap.onWhite
    let status = unsafe flat.withBytes { pixels in
      unsafe tjCompress2(
        encoder, pixels, Int32(flat.size.width), Int32(flat.size.width * 4), Int32(flat.size.height),
        Int32(TJPF_RGBX.rawValue), &buffer, &count, Int32(sampling.rawValue), Int32(quality),
        isProgressive ? Int32(TJFLAG_PROGRESSIVE) : 0)
    }
    guard status == 0, let buffer = unsafe buffer else {
      throw .notWritten(.jpeg, unsafe String(cString: tjGetErrorStr2(encoder)))
    }
    return unsafe Array(UnsafeBufferPointer(start: buffer, count: Int(count)))
  }
}

extension Bitmap {
  /// Makes RGB of four inks, without a colour profile.
  ///
  /// - Parameter isInverted: 255 is no ink, rather than all of it.
  fileprivate mutating func convertCMYK(isInverted: Bool) {
    for index in pixels.indices {
      let inks = isInverted ? pixels[index] : 255 &- pixels[index]
      let colours = (SIMD4<UInt32>(truncatingIfNeeded: inks) &* UInt32(inks.w) &+ 127) / 255
      pixels[index] = Pixel(truncatingIfNeeded: colours)
      pixels[index].w = 255
    }
  }
}
