import ImageFile
import Images

extension FuzzTargets {
  /// A picture that is read becomes one that is asked for, in a format that its length decides.
  static func pictures(_ bytes: [UInt8]) {
    let size = try? ImageRendering.size(of: bytes)
    let formats = ImageTransform.Format.allCases
    let format = formats[bytes.count % formats.count]
    let transform = ImageTransform(format: format, rotation: .R90, flip: .HORIZONTAL, quality: 50, width: 7)
    let limits = ImageLimits(pixels: 10_000)
    guard let made = try? ImageRendering.render(bytes, as: transform, limits: limits) else { return }
    precondition(ImageFormat(made.bytes) == format.imageFormat)
    precondition(size.map { made.width == min(7, $0.height) } == true, "\(made.width) of \(String(describing: size))")
    let again = try? ImageRendering.size(of: made.bytes)
    precondition(again.map { $0 == (made.width, made.height) } == true)
  }
}
