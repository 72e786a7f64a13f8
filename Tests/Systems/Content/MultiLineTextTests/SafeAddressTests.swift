import Testing

@testable import MultiLineText

@Suite(.timeLimit(.minutes(1))) struct `The address in a text` {
  @Test(
    arguments: [
      ("http://a", "http://a", "http://a"), ("HTTPS://a", "HTTPS://a", "HTTPS://a"), ("mailto:a@b", "mailto:a@b", nil),
      ("Mailto:a@b", "Mailto:a@b", nil), ("ftp://a", nil, nil), ("httpx:a", nil, nil), ("http", "http", "http"),
      (":a", nil, nil), ("a:b", nil, nil), ("/a", "/a", "/a"), ("a/b:c", "a/b:c", "a/b:c"), ("?b:c", "?b:c", "?b:c"),
      ("#b:c", "#b:c", "#b:c"), ("a\\b:c", "a\\b:c", "a\\b:c"), ("//a", nil, nil), ("/\\a", nil, nil),
      ("\\a", nil, nil),
      ("/a//b", "/a//b", "/a//b"), (" \t/a \n", "/a", "/a"), ("\u{A0}/a\u{2003}", "/a", "/a"), ("", nil, nil),
      (" \n ", nil, nil), ("/a b", "/a b", "/a b"), ("/a\nb", nil, nil), ("/a\u{7F}", nil, nil),
      ("/\u{202E}", nil, nil),
      ("/\u{2028}a", nil, nil), ("/\u{2029}a", nil, nil), ("/\u{FFFD}", nil, nil), ("/é", "/é", "/é"),
      ("/e\u{301}", "/e\u{301}", "/e\u{301}"),
      // With the mark the two are one character, and a browser sees the slash or the colon all the same.
      ("//\u{301}@evil.example/", nil, nil), ("/\\\u{301}a", nil, nil), ("\\\u{301}a", nil, nil),
      ("javascript:\u{301}a", nil, nil), ("http:\u{301}//a", "http:\u{301}//a", "http:\u{301}//a"),
      ("/\u{301}a:b", "/\u{301}a:b", "/\u{301}a:b"),
    ] as [(String, String?, String?)])
  func `is kept where it is safe, without the spaces around it`(address: String, link: String?, picture: String?) {
    #expect(SafeAddress.link(address) == link)
    #expect(SafeAddress.picture(address) == picture)
  }

  @Test func `has at most 4096 bytes`() {
    let longest = "/" + String(repeating: "a", count: 4_095)
    #expect(SafeAddress.link(longest) == longest && SafeAddress.link(longest + "a") == nil)
    #expect(SafeAddress.link(" \(longest)\n") == longest)
    let wide = "/" + String(repeating: "é", count: 2_047)
    #expect(SafeAddress.picture(wide + "a") == wide + "a" && SafeAddress.picture(wide + "é") == nil)
  }

  @Test(arguments: [
    ("/content/dam/a", true), ("/content/dam/a/b", true), ("/content/dam/a.b/c", true), ("/content/dam/a.png", false),
    ("/content/dam/a?b", false), ("/content/dam/a#b", false), ("/content/dam/a/b.html", false),
    ("/content/damn/a", false),
    ("/content/dam/", false), ("/content/dam//", false), ("/content/dam/a.\u{301}html", false),
    ("/content/dam", false), ("content/dam/a", false), ("/x/content/dam/a", false),
  ])
  func `is that of a content fragment where it has no ending`(path: String, isFragment: Bool) throws {
    #expect(SafeAddress.isFragmentPath(path) == isFragment)
    let node = try #require(MultiLineText.Node.link(to: path, text: "a"))
    #expect(node.kind == (isFragment ? .reference : .link) && node.value == "a")
    #expect(node.target == .init(href: path, type: isFragment ? "fragment" : nil))
  }

  @Test(
    arguments: [
      ("/a.jpg", "image/jpeg"), ("a.jpeg", "image/jpeg"), ("/a.png", "image/png"), ("/a.gif", "image/gif"),
      ("/a.webp", "image/webp"), ("/a.svg", "image/svg+xml"), ("/a.avif", "image/avif"), ("/a.tif", "image/tiff"),
      ("/a.tiff", "image/tiff"), ("/a.PNG", "image/png"), ("/a.png?b=/c.gif", "image/png"), ("/a.png#b", "image/png"),
      ("/a.b.gif", "image/gif"), ("/a.gif.b", nil), ("/a.png/b", nil), ("png", nil), ("/png", nil), ("/a.bmp", nil),
      ("", nil),
      ("?a.png", nil),
    ] as [(String, String?)])
  func `tells the type of a picture by its ending`(path: String, type: String?) {
    #expect(SafeAddress.mediaType(of: path) == type)
  }

  @Test func `of a picture stands with its type and its text`() {
    typealias Node = MultiLineText.Node
    #expect(
      Node.picture(at: " /a.png ", alternative: "b")
        == Node(.reference, target: .init(path: "/a.png", mimetype: "image/png", alternative: "b")))
    #expect(
      Node.picture(at: "/a.png", alternative: "", mimetype: "image/x")
        == Node(.reference, target: .init(path: "/a.png", mimetype: "image/x")))
    #expect(Node.picture(at: "mailto:a", alternative: "b") == nil && Node.link(to: "", text: "a") == nil)
    #expect(MultiLineText.Target(href: "/a").address == "/a" && MultiLineText.Target(path: "/b").address == "/b")
    #expect(MultiLineText.Target().address == nil)
  }
}
