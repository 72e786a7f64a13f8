import ExtensionProtocol
import Testing

@testable import HostServices

@Suite(.timeLimit(.minutes(1)))
struct `The first bytes of a picture` {
  private static let marks: [(type: String, start: [UInt8])] = [
    ("public.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ("public.jpeg", [0xFF, 0xD8, 0xFF]),
    ("com.compuserve.gif", Array("GIF8".utf8)), ("public.tiff", [0x49, 0x49, 0x2A, 0x00]),
    ("public.tiff", [0x4D, 0x4D, 0x00, 0x2A]), ("com.microsoft.bmp", Array("BM".utf8)),
    ("org.webmproject.webp", Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBP".utf8)),
  ]

  @Test(arguments: marks.indices) func `say its type, all of them and no fewer`(index: Int) {
    let (type, start) = Self.marks[index]
    #expect(ItemCoercion.imageType(start) == type && ItemCoercion.imageType(start + [0]) == type)
    #expect(ItemCoercion.imageType(start.dropLast()) == nil)
    #expect(ItemCoercion.imageType([0] + start) == nil && ItemCoercion.imageType([]) == nil)
  }

  @Test func `of a text or an address have to be one`() throws {
    func check(_ bytes: [UInt8], _ type: String) throws { try ItemCoercion.check(bytes, as: type) { $0 == $1 } }
    try check([0xFF], "public.data")
    try check(Array("ü".utf8), "public.plain-text")
    try check([], "public.plain-text")
    try check(Array("a:b".utf8), "public.url")
    for (bytes, type) in [
      ([0xFF], "public.plain-text"), ([0x61, 0x3A, 0xFF], "public.url"), (Array("a".utf8), "public.url"),
      (Array("a:".utf8), "public.url"), ([], "public.url"),
    ] as [([UInt8], String)] {
      #expect(throws: ExtensionError.self, "\(bytes) \(type)") { try check(bytes, type) }
    }
  }

  @Test(
    arguments: [
      ("a:b", "a"), ("Z9+.-:x", "z9+.-"), ("https://ü.example", "https"), ("a:b:c", "a"), ("a:~", "a"), ("a:", nil),
      (":b", nil), ("9a:b", nil), ("+a:b", nil), ("a_b:c", nil), ("ü:b", nil), ("a: b", nil), ("a:\u{7F}", nil),
      ("a b:c", nil), ("", nil), ("a", nil), ("a:\n", nil), ("a/b:c", nil), ("\u{212A}:b", nil),
    ] as [(String, String?)])
  func `of an address are its scheme`(url: String, scheme: String?) { #expect(URLScheme.of(url) == scheme) }
}
