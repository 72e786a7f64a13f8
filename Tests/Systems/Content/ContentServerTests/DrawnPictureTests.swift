import HTTPServer
import Synchronization
import Testing

@testable import ContentServer
@testable import Images

@Suite(.timeLimit(.minutes(1)))
struct `A drawn picture` {
  private static let palette = (0..<16).map { (UInt8($0), UInt8($0 * 2), UInt8(255 - $0)) }

  @Test func `is a file of PNG, byte by byte`() {
    let file = PNGFile(width: 3, height: 2, palette: Self.palette, pixels: [1, 2, 3, 0, 1, 15])
    let head: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 3, 0, 0, 0, 2, 4,
      3, 0, 0, 0, 0x6F, 0x5A, 0x7B, 0x29, 0, 0, 0, 48, 0x50, 0x4C, 0x54, 0x45,
    ]
    let rest: [UInt8] = [
      0xDF, 0x00, 0xD9, 0xBE, 0, 0, 0, 0x11, 0x49, 0x44, 0x41, 0x54, 0x78, 0x01, 0x01, 6, 0, 0xF9, 0xFF, 0, 0x12, 0x30,
      0, 0x01, 0xF0, 0x02, 0x12, 0x01, 0x34, 0xD6, 0xC9, 0xD9, 0xCD, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42,
      0x60, 0x82,
    ]
    #expect(file.bytes == head + Self.palette.flatMap { [$0.0, $0.1, $0.2] } + rest)
  }

  /// The last has more than two blocks of 65,535 bytes.
  @Test(arguments: [(1, 1), (2, 1), (1, 2), (5, 4), (16, 16), (301, 900)])
  func `has the colours of its pixels`(width: Int, height: Int) throws {
    let pixels = (0..<(width * height)).map { UInt8(($0 * 7 + $0 / width) % 16) }
    let file = PNGFile(width: width, height: height, palette: Self.palette, pixels: pixels).bytes
    let read = try PNGCodec.decode(file, size: PixelSize(width: width, height: height))
    let wanted = pixels.map { Pixel(Self.palette[Int($0)].0, Self.palette[Int($0)].1, Self.palette[Int($0)].2, 255) }
    #expect(read.pixels == wanted)
  }

  /// The colours of the pixels of two drawings, a digit each, and their palettes.
  @Test(
    arguments: [
      (
        "hill",
        """
        000000000000000000000000 000000000000000000000000 000000000000000000000000 888800000000000000000000
        888800000000000000000000 888881111111111111111111 888811111111111111111111 888811111111111111111111
        111111111111111111111111 222222222222222222222222 222222222222222222222222 222222222222222222222299
        222222222222222222229999 333333333333333333999999 333333333333333333999999 339933333333333339999999
        999999339999999999999999 999999999999999999999999 999999999999999999999999 999999999999999999999999
        bbbb99999999b99999999999 bbbbbbbb99bbbbb99999bbbb bbbbbbbbbbbbbbbbbbbbbbbb bbbbbbbbbbbbbbbbbbbbbbbb
        bbbbbbbbbbbbbbbbbbbbbbbb bbbbbbbbbbbbbbbbbbbbbbbb bbbbbbbbbbbbbbbddbbbbbbb ddddddddddddddddddddddbb
        dddddddddddddddddddddddd dddddddddddddddddddddddd
        """,
        """
        35995d 43a56b 53b279 65bf89 78cc9a 8cd8ab a2e5bd baf2d0 fff4c8
        9e4f76 8c4669 7a3d5b 68344e 562b41 442233 321926
        """
      ),
      (
        "bay",
        """
        000000000000000000000000 000000000000000000000000 000000000000000000000000 000000000000008888800000
        000000000000008888800000 111111111111188888881111 111111111111118888811111 111111111111118888811111
        111111111111111111111111 222222222222222222222222 222222222222222222222222 992222222222222222222222
        999922222222222222222222 999993333333333333333339 999999333333333333339999 999999993333333333399999
        999999999939999399999999 999999999999999999999999 999999999999999999999bbb 9999999999999999999bbbbb
        99999999999999999bbbbbbb 999999999999999bbbbbbbbb 99999999999999bbbbbbbbbb 99999bbbbbbbbbbbbbbbbbbb
        99bbbbbbbbbbbbbbbbbbbbdd dddbbbbbbbbbbbbbbbbbdddd ddddddddbbbbbbbbbbdddddd dddddddddbbbbbbbdddddddd
        dddddddddddddddddddddddd dddddddddddddddddddddddd
        """,
        """
        358999 4396a5 53a3b2 65b0bf 78becc 8cccd8 a2dae5 bae9f2 fff4c8
        9e594f 8c4f46 7a453d 683b34 56312b 442722 321c19
        """
      ),
    ])
  func `is hills below a sky with a sun, by its name`(name: String, pixels: String, palette: String) async throws {
    let site = try TestSite()
    try site.write("content/dam/site/drawn.png.json", #"{"drawing": "\#(name)", "width": 24, "height": 30}"#)
    let server = try ContentServer(configuration: .init(root: site.root))
    let file = await ask("/content/dam/site/drawn.png", of: server).body
    func digits(_ bytes: some Sequence<UInt8>) -> String {
      bytes.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
    }
    // The palette begins behind the two heads, and the rows behind those of the stream and its only block.
    #expect(digits(file.dropFirst(41).prefix(48)) == palette.filter { !$0.isWhitespace })
    let rows = (0..<30).map { digits(file.dropFirst(108 + 13 * $0 + 1).prefix(12)) }
    #expect(rows == pixels.split { $0.isWhitespace }.map { String($0) })
  }

  @Test func `is another for each transform`() {
    let crops = [
      ImageTransform.Crop(xOrigin: 1, yOrigin: 0, width: 0, height: 0),
      .init(xOrigin: 0, yOrigin: 1, width: 0, height: 0),
      .init(xOrigin: 0, yOrigin: 0, width: 1, height: 0), .init(xOrigin: 0, yOrigin: 0, width: 0, height: 1),
      .init(xOrigin: 0, yOrigin: 0, width: 0, height: 0),
    ]
    var transforms = crops.map { ImageTransform(crop: $0) }
    transforms += [
      ImageTransform(), ImageTransform(size: .init(width: 1, height: 2)),
      ImageTransform(size: .init(width: 2, height: 1)),
      ImageTransform(quality: 1), ImageTransform(width: 1), ImageTransform(quality: 0), ImageTransform(width: 0),
    ]
    transforms += ImageTransform.Format.allCases.map { ImageTransform(format: $0) }
    transforms += ImageTransform.Rotation.allCases.map { ImageTransform(rotation: $0) }
    transforms += ImageTransform.Flip.allCases.map { ImageTransform(flip: $0) }
    #expect(Set(transforms.map { ImageTransformKey($0) }).count == transforms.count)
    for transform in transforms { #expect(ImageTransformKey(transform) == ImageTransformKey(transform)) }
  }

  // MARK: Turns

  private struct Count {
    var running = 0
    var most = 0
    var done: [Int] = []
  }

  private final class Tally: Sendable {
    private let count = Mutex(Count())
    func change<Result>(_ body: (inout Count) -> Result) -> Result { count.withLock { body(&$0) } }
  }

  @Test(arguments: [(0, 1), (1, 1), (2, 2)])
  func `is made with no more others than may be`(most: Int, bound: Int) async {
    let queue = RenderQueue(most: most)
    let tally = Tally()
    // The second time the places are free again.
    for round in 1...2 {
      let made = await withTaskGroup(of: Int.self) { group in
        for number in 0..<40 {
          group.addTask {
            await queue.run {
              tally.change {
                $0.running += 1
                $0.most = max($0.most, $0.running)
              }
              // Long enough that others would come in between.
              let work = (0..<2_000).reduce(0) { ($0 &* 31) ^ $1 }
              tally.change {
                $0.running -= 1
                $0.done.append(work)
              }
              return number
            }
          }
        }
        return await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(made.sorted() == Array(0..<40))
      let found = tally.change { $0 }
      #expect(found.most <= bound && found.running == 0 && found.done.count == 40 * round)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A thread for queries` {
  @Test(arguments: [2, 3]) func `is one after the other`(count: Int) throws {
    let threads = try QueryThreads(count: count)
    defer { threads.stop() }
    let first = (0..<count).map { _ in ObjectIdentifier(threads.next()) }
    let second = (0..<count).map { _ in ObjectIdentifier(threads.next()) }
    #expect(Set(first).count == count && second == first)
  }

  @Test func `is there, however few are wanted`() throws {
    for count in [0, 1] {
      let threads = try QueryThreads(count: count)
      defer { threads.stop() }
      #expect(threads.next() === threads.next())
    }
  }
}
