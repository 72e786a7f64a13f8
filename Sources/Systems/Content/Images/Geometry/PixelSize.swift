/// Width and height in pixels.
struct PixelSize: Equatable, CustomStringConvertible {
  var width: Int
  var height: Int

  var description: String { "\(width) x \(height) pixels" }
  var exchanged: PixelSize { PixelSize(width: height, height: width) }
}
