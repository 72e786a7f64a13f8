import ConfigurationFiles
import TestSupport
import Testing

private func parse(_ files: [String: String], first: String = "Config.xcconfig") throws -> XCConfig {
  try XCConfig(path: first) { files[$0] }
}

private func parse(_ text: String) throws -> XCConfig { try parse(["Config.xcconfig": text]) }

@Suite(.timeLimit(.minutes(1)))
struct `An xcconfig file` {
  static let values: [(line: String, key: String, value: String)] = [
    ("AEM_HOST = publish.example.com", "AEM_HOST", "publish.example.com"),
    ("AEM_HOST=a:4503", "AEM_HOST", "a:4503"),
    ("\t AEM_HOST \t=\t a b \t", "AEM_HOST", "a b"),
    ("AEM_TOKEN = a=b==", "AEM_TOKEN", "a=b=="),
    ("AEM_PASSWORD =", "AEM_PASSWORD", ""),
    ("AEM_PASSWORD = // none", "AEM_PASSWORD", ""),
    ("AEM_PASSWORD = \"quoted\"", "AEM_PASSWORD", "\"quoted\""),
    ("A = x // a comment", "A", "x"),
    ("A = x/y", "A", "x/y"),
    ("// A = x", "A", ""),
    ("A = 1\nA = 2", "A", "2"),
    ("A = 1\r\nB = 2\r\n", "A", "1"),
    ("\u{FEFF}A = 1", "A", "1"),
    ("A = é\u{301}/\u{301}/", "A", "é\u{301}/\u{301}/"),
    ("B = 2\nA = $(B)3", "A", "23"),
    ("A = $(B)3\nB = 1\nB = 2", "A", "23"),
    ("A = https:/$()/example.com", "A", "https://example.com"),
    ("A = $(inherited)x", "A", "x"),
    ("A = $(MISSING)x", "A", "x"),
    ("A = $B $ $(B", "A", "$B $ $(B"),
    ("A = $(B)$(B)\nB = $(C)\nC = x", "A", "xx"),
    ("A = $(B)\u{301}\nB = e", "A", "e\u{301}"),
    ("A = $(\u{301})x$\u{301}", "A", "x$\u{301}"),
  ]

  @Test(arguments: values) func `gives the values that Xcode gives`(line: String, key: String, value: String) throws {
    #expect(try parse(line)[key] == value)
  }

  @Test func `warns where a value is cut, and does not show the value`() throws {
    let config = try parse("A = 1\nAEM_PASSWORD = hunter//2\nB = 1 // fine\nC = 2\n")
    #expect(config["AEM_PASSWORD"] == "hunter")
    let warning = try #require(config.warnings.first)
    #expect(config.warnings.count == 1)
    #expect(warning.place == XCConfig.Place(file: "Config.xcconfig", line: 2))
    #expect(warning.message.contains("Config.xcconfig:2") && warning.message.contains("AEM_PASSWORD"))
    #expect(warning.recovery.contains("/$()/"))
    #expect(!warning.description.contains("hunter"))
  }

  @Test func `warns of a reference to nothing and of a setting for some builds`() throws {
    let config = try parse("A = $(NOPE)\nB[sdk=iphoneos*] = 1\n")
    #expect(config.warnings.map(\.place.line).sorted() == [1, 2])
    #expect(config["B"] == "")
  }

  @Test(arguments: [
    ("A = 1\nnonsense", 2), ("= 1", 1), ("A B = 1", 1), ("1A = 1", 1), ("A += 1", 1), ("#define A", 1),
    ("#include file", 1), ("#include \"\"", 1), ("#include \"a\" b", 1), ("#include \"missing\"", 1),
    ("\n\nA = $(B)\nB = $(A)", 4), ("A = $(A)", 1),
  ])
  func `is refused with its line`(text: String, line: Int) throws {
    let error = try #require(throws: ConfigurationError.self) { try parse(text) }
    #expect(error.place == XCConfig.Place(file: "Config.xcconfig", line: line))
    #expect(error.message.contains("Config.xcconfig:\(line)"))
    #expect(!error.recovery.isEmpty)
  }

  @Test func `names a file that is not there`() throws {
    let error = try #require(throws: ConfigurationError.self) { try parse([:]) }
    #expect(error.message.contains("Config.xcconfig"))
  }

  @Test func `includes files at their place, from their directory`() throws {
    let config = try parse(
      [
        "a/Config.xcconfig": "X = 1\n#include \"../b/Base.xcconfig\" // base\nY = 3\n#include? \"Local.xcconfig\"\n",
        "b/Base.xcconfig": "X = 2\nY = 2\n#include \"./More.xcconfig\"",
        "b/More.xcconfig": "Z = $(Y)",
      ], first: "a/Config.xcconfig")
    #expect(config["X"] == "2")
    #expect(config["Y"] == "3")
    #expect(config["Z"] == "3")
    #expect(config.setting("X")?.place == XCConfig.Place(file: "b/Base.xcconfig", line: 1))
    #expect(config.settings.map(\.key) == ["X", "Y", "Z"])
  }

  @Test func `names the line that includes what is not there`() throws {
    let error = try #require(throws: ConfigurationError.self) { try parse("A = 1\n#include \"Nope.xcconfig\"") }
    #expect(error.place == XCConfig.Place(file: "Config.xcconfig", line: 2))
    #expect(error.message.contains("Nope.xcconfig"))
    #expect(error.recovery.contains("#include?"))
  }

  @Test(arguments: ["A.xcconfig", "./A.xcconfig", "x/../A.xcconfig"])
  func `is refused when it includes itself`(path: String) throws {
    let files = ["A.xcconfig": "#include \"B.xcconfig\"", "B.xcconfig": "\n#include? \"\(path)\""]
    let error = try #require(throws: ConfigurationError.self) { try parse(files, first: "A.xcconfig") }
    #expect(error.place == XCConfig.Place(file: "B.xcconfig", line: 2))
    #expect(error.message.contains("A.xcconfig → B.xcconfig → A.xcconfig"))
  }

  @Test func `is refused when its includes or its values explode`() throws {
    var files: [String: String] = [:]
    for number in 0..<20 { files["\(number)"] = "#include \"\(number + 1)\"\n#include \"\(number + 1)\"" }
    files["20"] = ""
    #expect(throws: ConfigurationError.self) { try parse(files, first: "0") }
    let values = (0..<40).map { "A\($0) = $(A\($0 + 1))$(A\($0 + 1))" }.joined(separator: "\n")
    #expect(throws: ConfigurationError.self) { try parse(values + "\nA40 = xxxxxxxx") }
  }

  @Test func `is refused when its values stand for each other too often, or are too large together`() throws {
    func chain(_ count: Int) -> String { (0..<count).map { "A\($0) = $(A\($0 + 1))" }.joined(separator: "\n") + "\n" }
    #expect(try parse(chain(60) + "A60 = end")["A0"] == "end")
    let deep = try #require(throws: ConfigurationError.self) { try parse(chain(20_000)) }
    #expect(deep.message.contains("64 times"))
    let large = "L = " + String(repeating: "x", count: 60_000) + "\n"
    let copies = (0..<200).map { "B\($0) = $(L)\n" }.joined()
    let wide = try #require(throws: ConfigurationError.self) { try parse(large + copies) }
    #expect(wide.message.contains("grow beyond"))
  }

  @Test func `is read from the disk`() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.write("AEM_HOST = base", to: "Base.xcconfig")
    let path = try directory.write("#include \"Base.xcconfig\"\nAEM_SCHEME = https", to: "Config.xcconfig")
    let config = try XCConfig(contentsOf: path)
    #expect(config["AEM_HOST"] == "base")
    #expect(config["AEM_SCHEME"] == "https")
    #expect(throws: ConfigurationError.self) { try XCConfig(contentsOf: directory.path) }
    #expect(throws: ConfigurationError.self) { try XCConfig(contentsOf: directory.file("none")) }
  }
}
