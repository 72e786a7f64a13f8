/// One of the eight combinations of rotation by 90 degrees and mirroring.
///
/// The pixel (x, y) of the result is the pixel (x, y), or (y, x) when axes are exchanged, of the source. A mirrored
/// axis counts from the opposite side of the source.
struct Turn: Equatable {
  var exchangesAxes = false
  var mirrorsX = false
  var mirrorsY = false

  static let none = Turn()

  /// - Parameter orientation: of EXIF, 1 to 8.
  init(orientation: Int) {
    exchangesAxes = orientation >= 5
    mirrorsX = [2, 3, 7, 8].contains(orientation)
    mirrorsY = [3, 4, 6, 7].contains(orientation)
  }

  init(_ rotation: ImageTransform.Rotation?) {
    switch rotation {
    case .R90: self.init(orientation: 6)
    case .R180: self.init(orientation: 3)
    case .R270: self.init(orientation: 8)
    case nil: self.init()
    }
  }

  init(_ flip: ImageTransform.Flip?) {
    switch flip {
    case .HORIZONTAL: self.init(orientation: 2)
    case .VERTICAL: self.init(orientation: 4)
    case .HORIZONTAL_AND_VERTICAL: self.init(orientation: 3)
    case nil: self.init()
    }
  }

  private init() {}

  /// This one first, then another one.
  func followed(by next: Turn) -> Turn {
    var both = Turn()
    both.exchangesAxes = exchangesAxes != next.exchangesAxes
    both.mirrorsX = mirrorsX != (exchangesAxes ? next.mirrorsY : next.mirrorsX)
    both.mirrorsY = mirrorsY != (exchangesAxes ? next.mirrorsX : next.mirrorsY)
    return both
  }

  func size(of size: PixelSize) -> PixelSize { exchangesAxes ? size.exchanged : size }

  /// Returns the rectangle of the source that becomes a rectangle of the result.
  func source(of area: PixelArea, in size: PixelSize) -> PixelArea {
    var source = area
    if exchangesAxes { source = PixelArea(x: area.y, y: area.x, size: area.size.exchanged) }
    if mirrorsX { source.x = size.width - source.x - source.size.width }
    if mirrorsY { source.y = size.height - source.y - source.size.height }
    return source
  }
}

/// A rectangle of whole pixels.
struct PixelArea: Equatable {
  var x: Int
  var y: Int
  var size: PixelSize
}

extension Bitmap {
  func turned(_ turn: Turn) -> Bitmap {
    if turn == .none { return self }
    let to = turn.size(of: size)
    var turned: [Pixel] = []
    turned.reserveCapacity(pixels.count)
    // How far apart two pixels of the source are that are neighbours in the result.
    let column = turn.mirrorsX ? -1 : 1
    let row = turn.mirrorsY ? -size.width : size.width
    let (right, down) = turn.exchangesAxes ? (row, column) : (column, row)
    var start = (turn.mirrorsX ? size.width - 1 : 0) + (turn.mirrorsY ? (size.height - 1) * size.width : 0)
    for _ in 0..<to.height {
      var position = start
      for _ in 0..<to.width {
        turned.append(pixels[position])
        position += right
      }
      start += down
    }
    return Bitmap(to, pixels: turned, isOpaque: isOpaque)
  }
}
