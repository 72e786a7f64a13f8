import JSON
import MultiLineText
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `A hostile text` {
  private static func filled(_ text: String, _ count: Int = 255 << 10) -> String {
    String(repeating: text, count: count / text.utf8.count)
  }

  private static let pieces: [String] = [
    "[", "![l", "[]", "*_", "*a_ ", "> ", "- ", "1. ", "<", "<!A ", "<?", "<!--", "<a ", "<div>", "<b>", "<li>", "<td>",
    "<table>", "<p>", "</p>", "<ul><li>", "&", "&#x", "`", "`a", "~a ", "a@", "a@b. ", "www.a ", "www.a)", "http://",
    "|",
    "|\n", "-|\n", "a|b\n", "_ a", "[a](<b", "[a]: b\n", "[a]", "\\", "\t", "\0", "#", "a\n===\n", ">     a\n", "<pre>",
    "<a b=\"", "<img alt='", "<a href=x>", "</div>", "]]>", "<script>", "<h1><p>", "&lt;", "<br>", "a b ",
  ]

  @Test(arguments: pieces)
  func `is read or refused before long`(piece: String) {
    // A quarter of what is taken: what grows with the square of the length shows in it as well.
    for count in [64 << 10, 1 << 20] {
      let text = Self.filled(piece, count)
      let start = ContinuousClock.now
      let markdown = try? MultiLineText(markdown: text)
      let html = try? MultiLineText(html: text)
      for text in [markdown, html].compactMap({ $0 }) { _ = (text.markdown, text.html, text.plaintext, text.json) }
      #expect(ContinuousClock.now - start < .seconds(15))
      #expect(count < 1 << 20 || (markdown == nil && html == nil))
    }
  }

  @Test(arguments: [
    ("[", "A word is longer than 8 KiB."), ("| ", "A line has more than 256 bars (|)."),
    ("a|b|c\n", "Tables have more than 50000 cells."), ("> ", "The text is nested more than 50 deep."),
    ("x <? ", "The text has more than 1000 declarations and comments of HTML."), ("a\n\n", "more than 50000 parts."),
  ])
  func `in Markdown is refused with the reason`(piece: String, reason: String) {
    let error = #expect(throws: MultiLineTextError.self) { try MultiLineText(markdown: Self.filled(piece) + "a") }
    #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
    #expect(error?.line != nil)
  }

  @Test(arguments: [
    ("<div>", "The text is nested more than 250 deep."), ("<ul><li>", "The text is nested more than 50 deep."),
    ("<p>a", "more than 50000 parts."),
  ])
  func `in HTML is refused with the reason`(piece: String, reason: String) {
    let error = #expect(throws: MultiLineTextError.self) { try MultiLineText(html: Self.filled(piece)) }
    #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
    #expect(error?.line != nil)
  }

  @Test func `has no tag with so many attributes that they take long`() {
    for attributes in [Self.filled("b c "), Self.filled("b=\"><a\" c "), Self.filled("b='<a' c d e f ")] {
      let error = #expect(throws: MultiLineTextError.self) { try MultiLineText(html: "<a " + attributes) }
      #expect(error?.message == "A tag has more than 1024 attributes.")
    }
    let error = #expect(throws: MultiLineTextError.self) { try MultiLineText(html: "<a b=\"" + Self.filled("c d ")) }
    #expect(error?.message == "An attribute is longer than 8 KiB.")
  }

  @Test func `in JSON is refused when it is too deep or too large`() {
    var value: JSONValue = ["nodeType": "text", "value": "a"]
    for _ in 0..<500 { value = ["nodeType": "block-quote", "content": [value]] }
    let json = JSONValue.array([value])
    #expect(throws: MultiLineTextError.self) { try MultiLineText(json: json) }
    let large = JSONValue.string(Self.filled("a", 1 << 20))
    #expect(throws: MultiLineTextError.self) { try MultiLineText(json: [["nodeType": "text", "value": large]]) }
    let many = JSONValue.array(Array(repeating: ["nodeType": "line-break"], count: 100_000))
    #expect(throws: MultiLineTextError.self) { try MultiLineText(json: many) }
  }

  @Test func `cannot copy a long definition to each of its uses`() {
    let address = Self.filled("b", 4_000)
    let text = "[a]: \(address)\n\n" + Self.filled("[a] ", 200_000)
    #expect(throws: MultiLineTextError.self) { try MultiLineText(markdown: text) }
  }

  @Test func `keeps safe addresses only, in every form`() throws {
    let addresses = [
      "javascript:alert(1)", " JavaScript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "vbscript:x",
      "//evil.example", "/\\evil.example", "\\\\evil.example", "file:///etc/passwd", "java\u{0}script:x",
    ]
    for address in addresses {
      let texts = [
        try MultiLineText(html: "<a href=\"\(address)\">t</a><img src=\"\(address)\" alt=\"t\">"),
        try MultiLineText(markdown: "[t](<\(address)>) ![t](<\(address)>)"),
        try MultiLineText(json: [
          ["nodeType": "link", "value": "t", "data": ["href": .string(address)]],
          ["nodeType": "reference", "value": "t", "data": ["path": .string(address), "mimetype": "image/png"]],
        ]),
      ]
      for text in texts {
        #expect(!text.html.contains("href=") && !text.html.contains("src="), "\(address): \(text.html)")
        #expect(text.plaintext.contains("t"))
      }
    }
    let written = "&#106;avascript:x"
    #expect(try !MultiLineText(html: "<a href='\(written)'>t</a>").html.contains("href="))
    #expect(try !MultiLineText(markdown: "[t](\(written))").html.contains("href="))
    for address in ["https://a.example/?b=1&c", "http://a", "mailto:a@b.c", "/content/dam/a", "x/y", "#z", "../a:b"] {
      #expect(try MultiLineText(html: "<a href='\(address)'>t</a>").html.contains("href="), "\(address)")
    }
  }

  @Test func `has no element and no attribute but the known ones`() throws {
    let text = try MultiLineText(
      html: """
        <p onclick="x()" style="y" class=z>a<script>alert(1)</script><style>b{}</style><iframe src="/x">c</iframe>
        <svg><a href="/q">d</a></svg><a href="/x" onmouseover="y">e</a><form><input value=f><button>g</button></form>
        <img src="/i.png" onerror="x" alt='"><script>'></p>
        """)
    #expect(
      text.html == "<p>a <a href=\"/x\">e</a></p>\n<p><img src=\"/i.png\" alt=\"&quot;&gt;&lt;script&gt;\"></p>\n")
    let markup = "<script>alert(1)</script> & \"quotes\""
    let plain = MultiLineText(plaintext: markup)
    #expect(plain.html == "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;</p>\n")
    #expect(try MultiLineText(html: plain.html) == plain)
    #expect(try MultiLineText(markdown: plain.markdown) == plain, "\(plain.markdown)")
  }

  @Test func `with NULs and control characters is read without them`() throws {
    let text = "a\u{0}b\u{1b}[31mc\u{7f}"
    for read in [try MultiLineText(html: text), try MultiLineText(markdown: text), MultiLineText(plaintext: text)] {
      #expect(read.plaintext == "a\u{FFFD}b\u{FFFD}[31mc\u{FFFD}")
    }
    let damaged = String(decoding: [0x61, 0xFF, 0xC3, 0x28] as [UInt8], as: UTF8.self)
    #expect(try MultiLineText(html: damaged).plaintext == "a\u{FFFD}\u{FFFD}(")
  }
}
