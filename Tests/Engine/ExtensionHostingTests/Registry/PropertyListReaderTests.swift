import ExtensionHosting
import ExtensionProtocol
import Foundation
import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A property list reader` {
  static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  private func problems(_ text: String) -> [ManifestProblem] {
    guard case .problems(let problems) = PropertyListReader.parse(Array(text.utf8), file: "A.plist") else { return [] }
    return problems
  }

  private func value(_ text: String) -> PropertyListValue? {
    guard case .value(let node) = PropertyListReader.parse(Array(text.utf8), file: nil) else { return nil }
    return node.value
  }

  @Test func `reads every type`() {
    let body = """
      <dict>
        <key>string</key> <string>a &lt;b&gt; &amp; &#x263A; <![CDATA[<raw>]]></string>
        <key>empty</key> <string/>
        <key>integer</key> <integer> -42 </integer>
        <key>hex</key> <integer>0x1F</integer>
        <key>real</key> <real>1e3</real>
        <key>yes</key> <true/> <key>no</key> <false></false>
        <!-- a comment -->
        <key>date</key> <date>2001-09-09T01:46:40Z</date>
        <key>leap</key> <date>2024-02-29T00:00:00Z</date>
        <key>data</key> <data>
          AP8
          Q</data>
        <key>array</key> <array><integer>1</integer><array/><dict/></array>
      </dict>
      """
    #expect(
      value("\(Self.head)\(body)</plist>\n") == [
        "string": "a <b> & ☺ <raw>", "empty": "", "integer": -42, "hex": 31, "real": 1000.0, "yes": true, "no": false,
        "date": .date(1_000_000_000), "leap": .date(1_709_164_800), "data": .data([0, 255, 16]), "array": [1, [], [:]],
      ])
  }

  @Test func `reads what Foundation writes`() throws {
    let sample: [String: Any] = [
      "text": "Grüße 日本 👍 & <>", "number": 7, "real": 0.1, "list": [1, 2, ["x": true]], "data": Data([1, 2, 3, 4]),
      "date": Date(timeIntervalSince1970: 951_782_400),
    ]
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let bytes = [UInt8](try PropertyListSerialization.data(fromPropertyList: sample, format: format, options: 0))
      guard case .value(let node) = PropertyListReader.parse(bytes, file: nil) else {
        Issue.record("not read")
        continue
      }
      #expect(
        node.value == [
          "text": "Grüße 日本 👍 & <>", "number": 7, "real": 0.1, "list": [1, 2, ["x": true]],
          "data": .data([1, 2, 3, 4]), "date": .date(951_782_400),
        ])
    }
  }

  @Test func `remembers lines`() {
    let text =
      "\(Self.head)<dict>\n<key>a</key>\n<array>\n<string>x</string>\n\n<string>y</string></array></dict></plist>"
    guard case .value(let node) = PropertyListReader.parse(Array(text.utf8), file: nil) else {
      Issue.record("not read")
      return
    }
    #expect(node.line == 4)
    #expect(node.node(at: PropertyListKeyPath("a"))?.line == 6)
    #expect(node.node(at: PropertyListKeyPath("a").appending(0))?.line == 7)
    #expect(node.node(at: PropertyListKeyPath("a").appending(1))?.line == 9)
  }

  @Test func `accepts a byte order mark and a missing prolog`() {
    #expect(value("\u{feff}\(Self.head)<true/></plist>") == true)
    #expect(value("<plist><true/></plist>") == true)
  }

  struct Bad: Sendable, CustomTestStringConvertible {
    let body: String
    let line: Int?
    let keyPath: String
    let message: String
    var testDescription: String { message }

    init(_ body: String, _ line: Int?, _ keyPath: String, _ message: String) {
      self.body = body
      self.line = line
      self.keyPath = keyPath
      self.message = message
    }
  }

  @Test(
    arguments: [
      Bad("<dict>\n<key>a</key><true/>\n<key>a</key><false/></dict>", 6, "a", "The key occurs twice."),
      Bad("<dict><key>a</key>\n<string>x</dict>", 5, "a", "The XML is damaged"),
      Bad("<dict>\n<string>x</string></dict>", 5, "", "A value, <string>, has no <key> before it."),
      Bad("<dict>\n<key>a</key><key>b</key></dict>", 5, "a", "The key has no value."),
      Bad("<dict>\n<key>a</key></dict>", 4, "a", "The key has no value."),
      Bad("<array>\n<key>a</key></array>", 5, "", "<key> is outside a dictionary."),
      Bad("<array><true/>\n<set/></array>", 5, "[1]", "The element <set> is not known."),
      Bad("<array><true/>\n<integer>one</integer></array>", 5, "[1]", "“one” is not an integer."),
      Bad("<integer>9223372036854775808</integer>", 4, "", "“9223372036854775808” is not an integer."),
      Bad("<integer>1.0</integer>", 4, "", "“1.0” is not an integer."),
      Bad("<real>nan</real>", 4, "", "“nan” is not a real."),
      Bad("<date>2001-02-29T00:00:00Z</date>", 4, "", "“2001-02-29T00:00:00Z” is not a date."),
      Bad("<date>yesterday</date>", 4, "", "“yesterday” is not a date."),
      Bad("<data>A</data>", 4, "", "“A” is not a data."),
      Bad("<true>x</true>", 4, "", "There is text where only elements are allowed."),
      Bad("<string>a<b/></string>", 4, "", "<string> holds another element, <b>."),
      Bad("<true/>\n<true/>", 5, "", "<plist> holds more than one value."),
      Bad("<string>&unknown;</string>", 4, "", "The XML is damaged"),
    ])
  func `says what is wrong, and where`(bad: Bad) throws {
    let found = try #require(problems("\(Self.head)\(bad.body)</plist>").first)
    #expect(found.message.hasPrefix(bad.message), "\(found)")
    #expect(found.line == bad.line)
    #expect(found.keyPath == bad.keyPath)
    #expect(found.file == "A.plist" && found.severity == .error && !found.recovery.isEmpty)
  }

  @Test func `tells several problems at once`() {
    let body = "<dict><key>a</key><integer>x</integer><key>b</key><date>y</date><key>b</key><real>z</real></dict>"
    #expect(problems("\(Self.head)\(body)</plist>").map(\.keyPath) == ["a", "b", "b", "b"])
  }

  @Test(
    arguments: [
      ("", "The file is empty."), (" \n", "The file is empty."), ("hello", "This is neither an XML nor a binary"),
      ("{ a = b; }", "This is an old-style (OpenStep) property list"), ("(a, b)", "This is an old-style"),
      ("<!-- x", "The comment that begins here does not end."),
      (
        "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>", "The document type declares entities"
      ),
      ("<!DOCTYPE html><plist><true/></plist>", "The document type is not plist."),
      ("<?xml version='1.0' encoding='ISO-8859-1'?><plist><true/></plist>", "The encoding is ISO-8859-1"),
      ("<html/>", "The outermost element is <html>, not <plist>."), ("<plist></plist>", "<plist> holds no value."),
      ("<plist><true/>", "The XML is damaged"), ("<plist", "The XML is damaged"),
      ("<plist><true/></plist>x", "The XML"),
      ("bplist00", "The binary property list is truncated"), ("bplist99xxxx", "The binary property list"),
    ])
  func `refuses what is no property list`(text: String, message: String) throws {
    let found = problems(text)
    #expect(found.first?.message.hasPrefix(message) == true, "\(found)")
  }

  @Test func `refuses bytes that are no UTF-8`() {
    for bytes: [UInt8] in [[0xFF, 0xFE, 0x3C, 0x00], Array("<plist><string>".utf8) + [0xC3, 0x28], [0x3C, 0x00]] {
      guard case .problems(let problems) = PropertyListReader.parse(bytes, file: nil) else {
        Issue.record("read")
        continue
      }
      #expect(problems.first?.message == "The file is not UTF-8 text. Save it as UTF-8.")
    }
  }

  @Test func `stops at 32 levels, however deep the file goes`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
    }
    #expect(value("\(Self.head)\(nested(32))</plist>") != nil)
    for depth in [33, 300, 12_000] {
      let found = problems("\(Self.head)\(nested(depth))</plist>")
      #expect(found.first?.message == "Values are nested more than 32 deep.")
    }
  }

  @Test func `stops at 256 KiB`() {
    let text = "\(Self.head)<string>\(String(repeating: "x", count: 256 * 1024))</string></plist>"
    #expect(problems(text).first?.message == "The file is larger than 256 KiB.")
  }

  @Test func `survives being cut and damaged anywhere`() {
    let text = "\(Self.head)<dict><key>a</key><array><integer>1</integer><data>AAAA</data></array></dict></plist>"
    let whole = Array(text.utf8)
    for length in 0..<(whole.count - 1) {
      guard case .problems(let found) = PropertyListReader.parse(Array(whole.prefix(length)), file: nil) else {
        Issue.record("read when cut at \(length)")
        continue
      }
      #expect(!found.isEmpty)
    }
    for index in whole.indices {
      for change: UInt8 in [0x01, 0x20, 0x80] {
        var bytes = whole
        bytes[index] ^= change
        _ = PropertyListReader.parse(bytes, file: nil)
      }
    }
  }

  @Test func `refuses what is no regular file, without waiting`() throws {
    let folder = try TemporaryFolder()
    let pipe = "\(folder.path)/pipe.plist"
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, folder.path, "\(folder.path)/none.plist", "/dev/zero"] {
      guard case .problems(let problems) = PropertyListReader.read(path) else {
        Issue.record("read \(path)")
        continue
      }
      #expect(problems.first?.file == path && problems.count == 1)
    }
  }
}
