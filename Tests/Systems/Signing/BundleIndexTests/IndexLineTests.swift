import JSON
import Testing

@testable import BundleIndex

@Suite(.timeLimit(.minutes(1)))
struct `A line of an index` {
  private static let digest = String(repeating: "a", count: 64)

  static func line(_ identifier: String = "org.example.a", _ version: String = "1") -> IndexLine {
    IndexLine(
      identifier: identifier, version: version, title: "Ä", digest: digest, size: 1, team: digest, teamName: "T",
      key: digest, asks: ["network"], points: ["today"], published: 5)
  }

  private func read(_ change: (inout JSONObject) -> Void) -> IndexLine? {
    var object = Self.line().json.objectValue ?? [:]
    change(&object)
    return IndexLine.lines(Array((JSONCoding.text(of: .object(object)) + "\n").utf8))?.first
  }

  @Test func `is read as it was written, and all of a file or nothing`() {
    var yanked = Self.line("b", "2")
    yanked.yanked = "bad"
    let bytes = IndexLine.bytes([Self.line(), yanked])
    #expect(IndexLine.lines(bytes) == [Self.line(), yanked])
    #expect(IndexLine.lines([]) == [])
    #expect(IndexLine.lines(bytes + Array("{}\n".utf8)) == nil)
    #expect(IndexLine.lines(Array("x".utf8) + bytes) == nil)
  }

  @Test func `lies in a file of 4 MiB at most`() {
    let bytes = IndexLine.bytes([Self.line()])
    let padding = [UInt8](repeating: 0x0A, count: (4 << 20) - bytes.count)
    #expect(IndexLine.lines(bytes + padding) == [Self.line()])
    #expect(IndexLine.lines(bytes + padding + [0x0A]) == nil)
  }

  @Test func `has every member within its bounds`() {
    let longest = String(repeating: "é", count: 127) + "a"
    for name in ["version", "title", "teamName"] {
      #expect(read { $0[name] = .string(longest) } != nil, "\(name)")
      #expect(read { $0[name] = .string(longest + "a") } == nil, "\(name)")
      #expect(read { $0[name] = "" } == nil, "\(name)")
      #expect(read { $0[name] = nil } == nil, "\(name)")
    }
    for name in ["digest", "team", "key"] {
      let short = String(Self.digest.dropLast())
      for text in [Self.digest.uppercased(), Self.digest + "a", short, short + "g"] {
        #expect(read { $0[name] = .string(text) } == nil, "\(name) \(text)")
      }
      #expect(read { $0[name] = .string("09af" + Self.digest.dropFirst(4)) } != nil)
    }
    for (name, good, bad) in [
      ("size", [0, 8 << 30], [-1, (8 << 30) + 1]), ("published", [0, 253_402_300_799], [-1, 253_402_300_800]),
    ] as [(String, [Int64], [Int64])] {
      for value in good { #expect(read { $0[name] = .integer(value) } != nil, "\(name) \(value)") }
      for value in bad { #expect(read { $0[name] = .integer(value) } == nil, "\(name) \(value)") }
      #expect(read { $0[name] = nil } == nil)
    }
    for name in ["asks", "points"] {
      let text = JSONValue.string(String(repeating: "é", count: 256))
      #expect(read { $0[name] = .array([JSONValue](repeating: text, count: 256)) } != nil)
      #expect(read { $0[name] = .array([JSONValue](repeating: text, count: 257)) } == nil)
      #expect(read { $0[name] = [.string(String(repeating: "é", count: 256) + "a")] } == nil)
      #expect(read { $0[name] = [1] } == nil)
      #expect(read { $0[name] = nil } == nil)
    }
    #expect(read { $0["name"] = "../x" } == nil)
  }

  @Test func `can be read whatever a bundle, its team and its wishes are called`() {
    func line(_ name: String, asks: [String] = []) -> IndexLine {
      IndexLine(
        identifier: "org.example.a", version: "1", title: name, digest: Self.digest, size: 1, team: Self.digest,
        teamName: name.isEmpty ? "T" : name, key: Self.digest, asks: asks, points: ["today"], published: 5)
    }
    // As many characters as a team's name may have, of four bytes each.
    let waves = String(repeating: "\u{1F30A}", count: 80)
    let long = line(waves, asks: [String(repeating: "é", count: 257)])
    #expect(IndexLine.lines(IndexLine.bytes([long])) == [long])
    #expect(long.title == String(waves.prefix(63)) && long.teamName == long.title)
    #expect(long.asks == [String(repeating: "é", count: 256)])
    let nameless = line("")
    #expect(IndexLine.lines(IndexLine.bytes([nameless])) == [nameless] && nameless.title == "org.example.a")
  }

  @Test func `is taken back by any word, and by 500 characters of it`() {
    #expect(read { _ in }?.yanked == nil)
    #expect(read { $0["yanked"] = "" }?.yanked == "")
    #expect(read { $0["yanked"] = true }?.yanked == "")
    #expect(read { $0["yanked"] = .string(String(repeating: "é", count: 501)) }?.yanked?.count == 500)
  }

  @Test(arguments: [
    ("a", true), ("", false), (".a", false), ("a.", true), ("a..b", false), ("a.b-C9", true), ("0Zz", true),
    ("a/b", false),
    ("a_b", false), ("a b", false), ("é", false), ("a:", false), ("a@", false), ("a[", false), ("a`", false),
    ("a{", false),
    ("a,", false), (String(repeating: "a", count: 155), true), (String(repeating: "a", count: 156), false),
  ])
  func `has a name of letters, digits, hyphens and dots`(text: String, isName: Bool) {
    #expect(IndexLine.isName(text) == isName)
  }
}
