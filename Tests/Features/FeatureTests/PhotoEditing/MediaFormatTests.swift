import ImageFile
import Testing

@testable import HostServices

@Suite(.timeLimit(.minutes(1)))
struct `An image file` {
  private static let beginnings: [(bytes: [UInt8], format: MediaFormat)] = [
    ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
    (Array("GIF89a".utf8), .gif), ([0x49, 0x49, 0x2A, 0], .tiff), ([0x4D, 0x4D, 0, 0x2A], .tiff),
    (Array("RIFF....WEBPVP8 ".utf8), .webp), (movie("heic"), .heic), (movie("qt  "), .quickTime),
    (movie("isom"), .mpeg4),
  ]

  private static func movie(_ brand: String) -> [UInt8] { [0, 0, 0, 24] + Array("ftyp\(brand)".utf8) }

  @Test(arguments: beginnings)
  func `is known by its first bytes`(bytes: [UInt8], format: MediaFormat) {
    #expect(MediaFormat(bytes) == format)
  }

  @Test(arguments: [[], [0xFF], Array("hello, world".utf8), [0x89, 0x50], Array("RIFF....WAVE".utf8)])
  func `is not what only begins like one`(bytes: [UInt8]) {
    #expect(MediaFormat(bytes) == nil)
  }

  @Test(arguments: 1...8, [false, true])
  func `tells its orientation`(orientation: Int, isLittleEndian: Bool) {
    #expect(
      ImageOrientation.of(SmallImages.jpeg(orientation: orientation, isLittleEndian: isLittleEndian)) == orientation)
    #expect(ImageOrientation.of(SmallImages.png(orientation: orientation)) == orientation)
  }

  @Test func `without an orientation is upright`() {
    #expect(ImageOrientation.of(SmallImages.jpeg()) == 1)
    #expect(ImageOrientation.of(SmallImages.png) == 1)
    #expect(ImageOrientation.of(SmallImages.jpeg(orientation: 9)) == 1)
    #expect(ImageOrientation.of([]) == 1)
  }

  @Test func `that is cut anywhere, or has any one byte changed, still has an orientation of 1 to 8`() {
    for image in [SmallImages.jpeg(orientation: 6), SmallImages.png(orientation: 6)] {
      for count in 0...image.count { #expect(1...8 ~= ImageOrientation.of(Array(image.prefix(count)))) }
      for index in image.indices {
        for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
          var changed = image
          changed[index] = value
          #expect(1...8 ~= ImageOrientation.of(changed))
        }
      }
    }
  }
}
