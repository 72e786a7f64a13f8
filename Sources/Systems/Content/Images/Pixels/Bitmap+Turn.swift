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
