import Cryptography
import Testing

@testable import HostServices

/// What is kept is found by these digits, by later versions of this program too.
@Suite(.timeLimit(.minutes(1)))
struct `The fingerprint of a photo` {
  private static let known: [(text: String, digits: String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ]

  @Test(arguments: known) func `is that of the standard`(text: String, digits: String) {
    #expect(Fingerprint.of(Array(text.utf8)) == digits)
  }

  @Test func `is SHA-256 for every length about a block, and for every byte`() {
    for count in 0...200 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 250) }
      #expect(Fingerprint.of(bytes) == SHA256.hexadecimal(of: bytes), "\(count)")
    }
    let all = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8)) }
    #expect(Fingerprint.of(all) == SHA256.hexadecimal(of: all))
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The kind of a photo` {
  private static func movie(_ brand: String) -> [UInt8] { [0, 0, 0, 24] + Array("ftyp\(brand)".utf8) }

  @Test func `is told by the brand of its container`() {
    for (brand, format) in [
      ("heic", .heic), ("heix", .heic), ("mif1", .heic), ("qt  ", .quickTime), ("qt", .mpeg4), ("hei", .mpeg4),
      ("", .mpeg4), ("HEIC", .mpeg4), ("heicx", .heic),
    ] as [(String, MediaFormat)] {
      #expect(MediaFormat(Self.movie(brand)) == format, "\(brand)")
    }
    #expect(MediaFormat(Array(Self.movie("heic").dropFirst())) == nil, "a byte too early")
    for bytes in [[0x49, 0x49, 0x2A], [0x49, 0x49, 0, 0x2A], [0x4D, 0x4D, 0x2A, 0], [0x49, 0x4D, 0x2A, 0]] as [[UInt8]]
    {
      #expect(MediaFormat(bytes) == nil)
    }
  }

  @Test(arguments: MediaFormat.allCases) func `is an image or a video`(format: MediaFormat) {
    let isMovie = [MediaFormat.quickTime, .mpeg4].contains(format)
    #expect(format.mediaType == (isMovie ? "Video" : "Image") && format.mediaTypeNumber == (isMovie ? 2 : 1))
  }
}
