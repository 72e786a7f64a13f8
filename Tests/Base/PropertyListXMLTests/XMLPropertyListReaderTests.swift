import PropertyList
import PropertyListXML
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An XML property list` {
  private func read(_ text: String, limits: PropertyListLimits = .manifest) -> XMLPropertyListReader.Outcome {
    XMLPropertyListReader.parse(Array(text.utf8), limits: limits)
  }

  private func error(_ text: String, limits: PropertyListLimits = .manifest) -> PropertyListError? {
    guard case .errors(let errors) = read(text, limits: limits) else { return nil }
    return errors.first
  }

  private func value(_ text: String) -> PropertyListValue? {
    guard case .value(let node) = read(text) else { return nil }
    return node.value
  }

  @Test(
    arguments: [
      ("<plist>\n<!-- a -->\n<true/>\n<!-- b", 4, "The comment that begins here does not end."),
      ("\n<!DOCTYPE plist", 2, "The document type that begins here does not end."),
      ("<plist><string>\n<![CDATA[ x\n", 2, "The CDATA section that begins here does not end."),
      ("<plist><string>\n<![CDATA[ x\n<![CDATA[ y\n", 2, "The CDATA section that begins here does not end."),
      ("<!-- <plist>\n\n", 1, "The comment that begins here does not end."),
      ("<plist><array>\n\n x\n\n</array></plist>", 3, "There is text where only elements are allowed."),
      ("<plist>\n<dict>\n<key>a</key>\n</plist>", 4, "The XML is damaged: a tag is not closed"),
      ("<?xml version='1.0'?>\n\n<!-- a <? b", 3, "The comment that begins here does not end."),
      ("<!-- a <? b -->\n<!-- c", 2, "The comment that begins here does not end."),
      ("<plist>\n<true/>\n<?x", 3, "The processing instruction that begins here does not end."),
      ("<?xml version='1.0'", 1, "The processing instruction that begins here does not end."),
      ("<plist>\n\n<array>", 3, "The XML is damaged: it ends too early."),
      ("<plist>\n<foo\n a='b'\n/></plist>", 2, "The element <foo> is not known."),
      ("<plist><string>a\nb\n<true/></string></plist>", 3, "<string> holds another element, <true>."),
      ("<plist>\n<![CDATA[\n\n x]]></plist>", 4, "There is text where only elements are allowed."),
      ("<plist>\n<array a='1' a='2'/></plist>", 2, "The XML is damaged: an attribute occurs twice."),
      ("<plist>\n<true/></plist>\nx", 3, "The XML is damaged: there is more after the end of the document."),
      (" \n<?xml version='1.0'?><plist/>", 2, "The XML is damaged: the XML declaration is not written correctly."),
      ("<plist>\n\n<string>&#0;</string></plist>", 3, "The XML is damaged: a character is not allowed."),
      ("<!DOCTYPE plist SYSTEM 'x'>\n<plist><string>\n&a;", 3, "The XML is damaged: an entity is not known."),
      ("<plist>\n<string>&a;</string></plist>", 2, "The XML is damaged: an entity is not known."),
      ("<plist>\n<string>a < b</string></plist>", 2, "The XML is damaged: a tag or an attribute is not written"),
    ])
  func `says where what is wrong begins`(text: String, line: Int, message: String) {
    let found = error(text)
    #expect(found?.line == line && found?.message.hasPrefix(message) == true, "\(String(describing: found))")
  }

  @Test(
    arguments: [
      "<!DOCTYPE plist [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><plist><string>&b;</string></plist>",
      "<!DOCTYPE plist [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><plist><string>&a;</string></plist>",
      "<!DOCTYPE plist [<!ENTITY % a SYSTEM \"file:///etc/passwd\"> %a;]><plist><true/></plist>",
      "<!DOCTYPE plist []><plist><true/></plist>",
    ])
  func `declares no entities`(text: String) {
    #expect(error(text)?.message == "The document type declares entities, which are not allowed.")
  }

  @Test(
    arguments: [
      "<!DOCTYPE plist SYSTEM \"file:///etc/passwd\"><plist><string>&a;</string></plist>",
      "<plist><string>&a;</string></plist>", "<plist version=\"&a;\"><true/></plist>",
      "<plist><string>&</string></plist>",
    ])
  func `uses no entities but those of XML`(text: String) {
    #expect(error(text)?.message.hasPrefix("The XML is damaged") == true)
    #expect(value("<plist><string>&lt;&gt;&amp;&quot;&apos;&#65;&#x263a;</string></plist>") == "<>&\"'A☺")
  }

  /// They name a file or a server; nothing is asked there.
  @Test func `may name its document type by any address`() {
    #expect(value("<!DOCTYPE plist SYSTEM \"http://127.0.0.1:1/plist.dtd\"><plist><true/></plist>") == true)
    #expect(value("<!DOCTYPE plist PUBLIC \"-//X\" \"file:///etc/passwd\"><plist><true/></plist>") == true)
  }

  @Test(arguments: ["<?x?><plist><true/></plist>", "<plist><?x y?><true/></plist>", "<plist><true/></plist><?x y?>"])
  func `has no processing instructions`(text: String) {
    #expect(error(text)?.message == "Property lists have no processing instructions.")
  }

  @Test(arguments: [
    "<plist xmlns:a=\"b\"><true/></plist>", "<a:plist><true/></a:plist>", "<plist xmlns='b'><true/></plist>",
    "<plist a:b='c'><true/></plist>", "<xml:plist><true/></xml:plist>", "<plist><array xmlns='b'/></plist>",
  ])
  func `has no namespaces`(text: String) {
    #expect(error(text)?.message == "Property lists have no namespaces." && error(text)?.line == 1)
  }

  @Test func `may say in what language it is`() {
    #expect(value("<plist xml:lang='en' version='1.0'><true/></plist>") == true)
  }

  @Test(arguments: ["UTF-7", "UTF-16", "ISO-8859-1", "EBCDIC-US"])
  func `is UTF-8, whatever it says of itself`(name: String) {
    let text = "<?xml version='1.0' encoding='\(name)'?><plist><true/></plist>"
    #expect(error(text)?.message == "The encoding is \(name); only UTF-8 is read. Save the file as UTF-8.")
  }

  /// The parser compares each attribute with those before it.
  @Test func `has no endless tags`() {
    func text(_ count: Int, _ equals: String = "=") -> String {
      "<plist>\n<array\((0..<count).map { " a\($0)\(equals)''" }.joined())/></plist>"
    }
    #expect(value(text(100)) == [])
    let wide = PropertyListLimits(size: 8 << 20, depth: 32, values: 100)
    for equals in ["=", " = ", "\t=\t"] {
      let found = error(text(100_000, equals), limits: wide)
      #expect(found?.message == "A tag has more than 4096 attributes." && found?.line == 2)
    }
    let prose = String(repeating: "a='b' &lt; ", count: 4_000)
    #expect(value("<plist><string>\(prose)</string></plist>") != nil)
  }

  @Test func `holds so many values and no more`() {
    let few = PropertyListLimits(size: 1 << 20, depth: 8, values: 100)
    let text = "<plist><array>\(String(repeating: "<true/>", count: 200))</array></plist>"
    #expect(error(text, limits: few)?.message == "The file holds more than 100 values.")
  }

  @Test func `keeps long text whole`() {
    let text = String(repeating: "line with “quotes” &amp; more\n", count: 4_000)
    #expect(value("<plist><string>\(text)</string></plist>") == .string(text.replacing("&amp;", with: "&")))
  }

  @Test func `is read from many threads at once`() async {
    let text = "<plist><array>\(String(repeating: "<string>a &amp; b</string>", count: 500))</array></plist>"
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<16 {
        group.addTask {
          guard case .value(let node) = XMLPropertyListReader.parse(Array(text.utf8), limits: .manifest) else {
            return 0
          }
          return node.value.arrayValue?.count ?? 0
        }
      }
      for await count in group { #expect(count == 500) }
    }
  }

  private func errors(_ text: String) -> [PropertyListError] {
    guard case .errors(let errors) = read(text) else { return [] }
    return errors
  }

  @Test func `holds values up to its limit, as deep and as many bytes as it may`() {
    func list(_ count: Int) -> String { "<plist><array>\(String(repeating: "<true/>", count: count))</array></plist>" }
    func nested(_ count: Int, _ open: String = "<array>", _ close: String = "</array>") -> String {
      "<plist>\(String(repeating: open, count: count))<true/>\(String(repeating: close, count: count))</plist>"
    }
    let limits = PropertyListLimits(size: list(98).utf8.count, depth: 8, values: 100)
    #expect(error(list(98), limits: limits) == nil)
    #expect(error(list(98) + " ", limits: limits)?.message.hasPrefix("The file is larger than") == true)
    let large = PropertyListLimits(size: 1 << 20, depth: 8, values: 100)
    #expect(error(list(99), limits: large)?.message == "The file holds more than 100 values.")
    #expect(error(nested(8), limits: large) == nil)
    #expect(error(nested(9), limits: large)?.message == "Values are nested more than 8 deep.")
    #expect(error(nested(8, "<dict><key>a</key>", "</dict>"), limits: large) == nil)
    let deep = error(nested(9, "<dict><key>a</key>", "</dict>"), limits: large)
    #expect(deep?.message == "Values are nested more than 8 deep.")
  }

  @Test func `tells fifty mistakes, each where it is, and goes on after one`() {
    let wrong = String(repeating: "<integer>x</integer>", count: 60)
    #expect(errors("<plist><array>\(wrong)</array></plist>").count == 50)
    let two = errors("<plist><array><dict><key>a</key></dict><date>x</date></array></plist>")
    #expect(two.map(\.keyPath.description) == ["[0].a", "[1]"])
    #expect(two.map(\.message) == ["The key has no value.", "“x” is not a date."])
    let twice = errors(
      "<plist><dict><key>a</key><true/><key>a</key><true/><key>b</key><real>x</real></dict></plist>")
    #expect(twice.map(\.keyPath.description) == ["a", "b"])
    let long = String(repeating: "é", count: 41)
    #expect(
      errors("<plist><integer>\(long)</integer></plist>").first?.message == "“\(long.dropLast())” is not an integer.")
    let marked = "a" + String(repeating: "\u{301}", count: 2_000)
    let shown = "a" + String(repeating: "\u{301}", count: 39)
    #expect(errors("<plist><integer>\(marked)</integer></plist>").first?.message == "“\(shown)” is not an integer.")
  }

  @Test(arguments: [
    ("<plist><true/><true/></plist>", "<plist> holds more than one value."),
    ("<plist><key>a</key></plist>", "<key> is outside a dictionary."),
    ("<plist><array><key>a</key></array></plist>", "<key> is outside a dictionary."),
    ("<plist><dict><true/></dict></plist>", "A value, <true>, has no <key> before it."),
    ("<plist><dict><key>a</key><true/><true/></dict></plist>", "A value, <true>, has no <key> before it."),
    ("<plist><dict><key>a</key><key>b</key></dict></plist>", "The key has no value."),
    ("<plist><string><true/></string></plist>", "<string> holds another element, <true>."),
    ("<plist><true><false/></true></plist>", "<true> holds another element, <false>."),
    ("<plist><foo/></plist>", "The element <foo> is not known."),
    ("<x/>", "The outermost element is <x>, not <plist>."), ("<plist/>", "<plist> holds no value."),
    ("<!DOCTYPE x><plist><true/></plist>", "The document type is not plist."),
    ("", "The file is empty."), (" \n", "The file is empty."),
    ("x", "This is neither an XML nor a binary property list."),
    ("<plist>\0</plist>", "The file is not UTF-8 text. Save it as UTF-8."),
    (
      "{}", "This is an old-style (OpenStep) property list, which is not read. Convert it with plutil -convert xml1."
    ),
  ])
  func `has each element at its place`(text: String, message: String) { #expect(error(text)?.message == message) }

  @Test func `reads numbers, dates and data as Apple writes them`() {
    let values: [(String, String, PropertyListValue?)] = [
      ("integer", " 7\n", 7), ("integer", "0x1F", 31), ("integer", "0Xa", 10), ("integer", "0x", nil),
      ("integer", "-7", -7), ("integer", "0x-1", nil), ("integer", "1.0", nil), ("integer", "", nil),
      ("integer", "9223372036854775807", .integer(.max)), ("integer", "9223372036854775808", nil),
      ("real", " 1.5 ", 1.5), ("real", "nan", nil), ("real", "inf", nil), ("real", "1e400", nil), ("real", "", nil),
      ("date", " 2001-01-01T00:00:00Z ", .date(978_307_200)), ("date", "2001-01-01T00:00:00z", nil),
      ("date", "2001-01-01t00:00:00Z", nil), ("date", "2001-01-01T00:00:00.5Z", nil), ("date", "2001-01-01", nil),
      ("data", " AQ\nI= ", .data([1, 2])), ("data", "AQI", nil), ("data", "", .data([])), ("string", " a ", " a "),
    ]
    for (element, text, expected) in values {
      #expect(value("<plist><\(element)>\(text)</\(element)></plist>") == expected, "\(element) \(text)")
    }
    #expect(value("\u{FEFF}<plist><string></string></plist>") == "")
    for name in ["us-ascii", "ASCII", "utf-8"] {
      #expect(value("<?xml version='1.0' encoding=\"\(name)\"?><plist><false/></plist>") == false)
    }
  }

  @Test(arguments: [(4_096, true), (4_097, false)])
  func `has so many attributes in one tag`(count: Int, isRead: Bool) {
    let text = "<plist><array\((0..<count).map { " a\($0)=''" }.joined())/></plist>"
    #expect(value(text) == (isRead ? [] : nil))
  }

  @Test func `has as many attributes in the next tag, and quotes that are none in its text`() {
    let tag = "<array\((0..<4_000).map { " a\($0)=''" }.joined())/>"
    #expect(value("<plist><array>\(tag)\(tag)</array></plist>") == [[], []])
    // Only a quote behind an equals sign and white space begins a value.
    let quotes = String(repeating: "'\"=x'", count: 5_000)
    #expect(value("<plist><string>\(quotes)</string></plist>") == .string(quotes))
  }
}
