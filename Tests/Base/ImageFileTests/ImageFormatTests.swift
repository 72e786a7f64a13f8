import ImageFile
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The format of a picture` {
  @Test func `is known by its first bytes`() {
    #expect(ImageFormat([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
    #expect(ImageFormat([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) == .png)
    #expect(ImageFormat(Array("GIF89a".utf8)) == .gif)
    #expect(ImageFormat(Array("RIFF0000WEBPVP8 ".utf8)) == .webp)
    #expect(ImageFormat(Array("RIFF0000WAVE".utf8)) == nil)
    #expect(ImageFormat(Array("<svg/>".utf8)) == nil)
    #expect(ImageFormat([]) == nil)
  }

  @Test func `has a media type`() {
    #expect(ImageFormat.allCases.map(\.mimeType) == ["image/gif", "image/png", "image/jpeg", "image/webp"])
  }

  @Test(
    arguments: [
      ([0xFF, 0xD8], nil), ([0xFF, 0xD8, 0xFF], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A], nil),
      (Array("GIF87a".utf8), .gif), (Array("GIF88a".utf8), nil), (Array("GIF89".utf8), nil),
      (Array("RIFF0000WEBP".utf8), .webp), (Array("RIFF0000WEB".utf8), nil), (Array("RIFX0000WEBP".utf8), nil),
    ] as [([UInt8], ImageFormat?)])
  func `is known by all of them`(bytes: [UInt8], format: ImageFormat?) { #expect(ImageFormat(bytes) == format) }
}
