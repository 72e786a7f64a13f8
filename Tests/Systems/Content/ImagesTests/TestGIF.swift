/// Writes GIF files whose codes are all of eight bits.
struct TestGIF {
  var screen: (width: Int, height: Int)
  var frame: (left: Int, top: Int, width: Int, height: Int)
  /// Red, green, blue; at most 128.
  var colours: [[UInt8]]
  var transparentIndex: Int?
  var isInterlaced = false
  /// The index of each pixel of the frame, row after row in the order of the file.
  var indices: [UInt8]

  var bytes: [UInt8] {
    var file = Array("GIF89a".utf8) + Self.pair(screen.width) + Self.pair(screen.height) + [0xF6, 0, 0]
    file += (colours + Array(repeating: [0, 0, 0], count: 128 - colours.count)).flatMap(\.self)
    if let transparentIndex { file += [0x21, 0xF9, 4, 1, 0, 0, UInt8(transparentIndex), 0] }
    file += [0x2C] + Self.pair(frame.left) + Self.pair(frame.top) + Self.pair(frame.width) + Self.pair(frame.height)
    file += [isInterlaced ? 0x40 : 0, 7]
    // A clear code before the table of codes grows to nine bits; 129 ends the picture.
    var codes: [UInt8] = []
    for (position, index) in indices.enumerated() { codes += position % 100 == 0 ? [128, index] : [index] }
    codes.append(129)
    for start in stride(from: 0, to: codes.count, by: 255) {
      let block = codes[start..<min(start + 255, codes.count)]
      file += [UInt8(block.count)] + block
    }
    return file + [0, 0x3B]
  }

  private static func pair(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
}
