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
      ("<!-- <plist>\n\n", 1, "The comment that begins here does not end."),
      ("<plist><array>\n\n x\n\n</array></plist>", 3, "There is text where only elements are allowed."),
      ("<plist>\n<dict>\n<key>a</key>\n</plist>", 4, "The XML is damaged"),
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

  @Test func `has no namespaces`() {
    #expect(error("<plist xmlns:a=\"b\"><true/></plist>") != nil)
    #expect(error("<a:plist><true/></a:plist>") != nil)
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
}
