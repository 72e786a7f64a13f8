import ImageFile

/// The steps by which a transform changes one picture: the area to read, its new size, and the turn.
///
/// Turning and scaling are interchangeable, so the smaller picture is turned.
struct ImagePlan {
  let format: ImageTransform.Format
  /// The divisor of both sides while a JPEG is decoded: 1, 2, 4 or 8.
  let reduction: Int
  /// The size before the turn.
  let unturnedSize: PixelSize
  let turn: Turn

  /// The area in the picture of the file, before reduction.
  private let area: PixelArea

  init(_ transform: ImageTransform, of header: ImageHeader, limits: ImageLimits) throws(ImageError) {
    try Self.check(transform)
    let upright = header.uprightSize
    let area = try Self.area(transform.crop, in: upright)
    let upturn = Turn(orientation: header.orientation)
    let next = Turn(transform.rotation).followed(by: Turn(transform.flip))
    turn = upturn.followed(by: next)
    format = transform.format ?? header.ownFormat
    let size = Self.size(transform, of: next.size(of: area.size))
    try limits.check(rendition: size, as: format.imageFormat)
    unturnedSize = turn.size(of: size)
    self.area = upturn.source(of: area, in: header.size)
    reduction = header.format == .jpeg ? Self.reduction(from: self.area.size, to: unturnedSize) : 1
  }

  /// Returns the area in the coordinates of a reduced picture.
  func source(in size: PixelSize) -> SourceArea {
    let scale = 1 / Double(reduction)
    let (left, top) = (Double(area.x) * scale, Double(area.y) * scale)
    return SourceArea(
      columns: left..<min(left + Double(area.size.width) * scale, Double(size.width)),
      rows: top..<min(top + Double(area.size.height) * scale, Double(size.height)))
  }

  private static let sides = 1...1_000_000

  private static func check(_ transform: ImageTransform) throws(ImageError) {
    if let quality = transform.quality, !(1...100).contains(quality) {
      throw ImageError("The quality of a picture is 1 to 100, not \(quality).")
    }
    if let width = transform.width, width < 1 {
      throw ImageError("The width of a picture is 1 or more, not \(width).")
    }
    if let size = transform.size, !sides.contains(size.width) || !sides.contains(size.height) {
      throw ImageError(
        "The sides of a picture are \(sides.lowerBound) to \(sides.upperBound), not \(size.width) and \(size.height).")
    }
  }

  private static func area(_ crop: ImageTransform.Crop?, in size: PixelSize) throws(ImageError) -> PixelArea {
    guard let crop else { return PixelArea(x: 0, y: 0, size: size) }
    guard crop.xOrigin >= 0, crop.yOrigin >= 0, crop.width > 0, crop.height > 0 else {
      throw ImageError("A crop begins at 0 or later and has at least one pixel.")
    }
    guard crop.xOrigin < size.width, crop.yOrigin < size.height else {
      throw ImageError(
        "The crop begins at \(crop.xOrigin), \(crop.yOrigin), and the picture is \(size).",
        recovery: "Crop within the picture.")
    }
    let kept = PixelSize(
      width: min(crop.width, size.width - crop.xOrigin), height: min(crop.height, size.height - crop.yOrigin))
    return PixelArea(x: crop.xOrigin, y: crop.yOrigin, size: kept)
  }

  private static func size(_ transform: ImageTransform, of turned: PixelSize) -> PixelSize {
    let size = transform.size.map { PixelSize(width: $0.width, height: $0.height) } ?? turned
    guard let width = transform.width, width < size.width else { return size }
    let height = (Double(size.height) * Double(width) / Double(size.width)).rounded()
    return PixelSize(width: width, height: max(1, Int(height)))
  }

  private static func reduction(from size: PixelSize, to target: PixelSize) -> Int {
    [8, 4, 2].first { size.width / $0 >= target.width && size.height / $0 >= target.height } ?? 1
  }
}
