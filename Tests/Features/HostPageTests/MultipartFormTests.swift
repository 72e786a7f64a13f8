import Testing

@testable import HostPage

@Suite(.timeLimit(.minutes(1)))
struct `A form with files` {
  private static let type = "multipart/form-data; boundary=----x"

  private func form(_ parts: String..., end: String = "------x--\r\n", type: String = type) -> MultipartForm? {
    let text = parts.map { "------x\r\nContent-Disposition: form-data; \($0)\r\n" }.joined() + end
    return MultipartForm(contentType: type, body: Array(text.utf8))
  }

  @Test func `has fields and files`() throws {
    let found = try #require(
      form(
        "name=\"a\"\r\n\r\n1\r\n2", "name=\"a\"\r\n\r\n3",
        "name=\"f\"; filename=\"C:\\x/../b%22.txt\"\r\nContent-Type: text/plain\r\n\r\n--\r\n------\r\n",
        "name=\"f\"; filename=\"\"\r\n\r\n"))
    #expect(found.fields == ["a": "1\r\n2"])
    #expect(found.files == [.init(name: "b\".txt", bytes: Array("--\r\n------\r\n".utf8))])
  }

  @Test(arguments: [
    "multipart/form-data", "multipart/form-data; boundary=", "text/plain; boundary=----x",
    "multipart/form-data; boundary=----y", "multipart/form-data; boundary=" + String(repeating: "x", count: 71),
  ])
  func `is none in another encoding`(type: String) { #expect(form("name=\"a\"\r\n\r\n1", type: type) == nil) }

  @Test func `is none that ends early, has too many parts, or a head without its end`() {
    #expect(form("name=\"a\"\r\n\r\n1", end: "") == nil)
    #expect(form("name=\"a\"\r\n\r\n1", end: "------x") == nil)
    #expect(form("name=\"a\"", end: "") == nil)
    #expect(form("name=\"\(String(repeating: "a", count: 9_000))\"\r\n\r\n1") == nil)
    let many = (0..<66).map { "------x\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\r\n" }.joined()
    #expect(MultipartForm(contentType: Self.type, body: Array((many + "------x--").utf8)) == nil)
    #expect(MultipartForm(contentType: Self.type, body: []) == nil)
  }

  @Test(arguments: 0..<200) func `may be cut anywhere`(length: Int) {
    let text = "------x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b\"\r\n\r\nbytes\r\n------x--\r\n"
    let form = MultipartForm(contentType: Self.type, body: Array(Array(text.utf8).prefix(length)))
    // The end of the last line may be missing.
    #expect((form != nil) == (length >= text.utf8.count - 2))
    #expect(form?.files ?? [] == (form == nil ? [] : [.init(name: "b", bytes: Array("bytes".utf8))]))
  }

  @Test func `has 64 parts, heads of 8 KiB and a boundary of 70 bytes at most`() {
    func many(_ count: Int) -> MultipartForm? {
      let parts = (0..<count).map { "------x\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\r\n" }.joined()
      return MultipartForm(contentType: Self.type, body: Array((parts + "------x--").utf8))
    }
    #expect(many(64)?.fields.count == 64 && many(65) == nil)
    let start = "Content-Disposition: form-data; name=\""
    // The head ends with a quotation mark and two line breaks.
    let most = (8 << 10) - start.utf8.count - 5
    #expect(form("name=\"\(String(repeating: "a", count: most))\"\r\n\r\n1")?.fields.count == 1)
    #expect(form("name=\"\(String(repeating: "a", count: most + 1))\"\r\n\r\n1") == nil)
    let boundary = String(repeating: "x", count: 70)
    let body = Array("--\(boundary)--".utf8)
    #expect(MultipartForm(contentType: "Multipart/Form-Data; boundary=\"\(boundary)\"", body: body) != nil)
    #expect(MultipartForm(contentType: "multipart/form-data; boundary=\(boundary)x", body: body + [0x78]) == nil)
  }

  @Test(arguments: [
    (".x", "file.x"), ("a/", "a"), ("a\\b", "b"), ("", "file"), ("..", "file.."), ("/", "file"), ("ü.txt", "ü.txt"),
    ("\u{301}x", "\u{301}x"), ("a/\u{301}b", "\u{301}b"), ("a\\\u{301}b", "\u{301}b"), (".\u{301}x", "file.\u{301}x"),
  ])
  func `has files under names that lead nowhere`(path: String, name: String) throws {
    let found = try #require(form("name=\"f\"; filename=\"\(path)\"\r\n\r\n1"))
    #expect(found.files == [.init(name: name, bytes: [0x31])] && found.fields.isEmpty)
  }
}
