import Testing

@testable import DataConnectCompiler

/// `connector.yaml`, key by key.
@Suite(.timeLimit(.minutes(1)))
struct `The file of a connector` {
  private func read(_ text: String) -> (configuration: ConnectorConfiguration?, lines: [String]) {
    var file = ConfigurationFile(Array(text.utf8), name: "c")
    let configuration = file.connector()
    return (configuration, file.problems.map(\.description))
  }

  /// What is read of a file with one package, in which something is added.
  private func generation(_ more: String, name: String = "P") -> (package: SwiftGeneration?, lines: [String]) {
    let (configuration, lines) = read(
      "connectorId: a\ngenerate:\n  swiftSdk: {outputDir: o, package: \"\(name)\"\(more)}\n")
    return (configuration?.swiftPackages.first, lines)
  }

  @Test(arguments: [
    "a", "Z", "z", "A", "a0", "a9", "A-b_9", String(repeating: "a", count: 63),
  ])
  func `takes a name of letters, digits, hyphens and underscores`(id: String) {
    let (configuration, lines) = read("connectorId: \"\(id)\"\n")
    #expect(lines == [])
    #expect(configuration == ConnectorConfiguration(connectorID: id, swiftPackages: []))
  }

  @Test(arguments: [
    "9a", "-a", "_a", "@a", "[a", "`a", "{a", "a.b", "a/b", "a:b", "a@", "a[", "a`", "a{", "a b", "ä", "a\u{301}",
    String(repeating: "a", count: 64), String(repeating: "é", count: 32),
  ])
  func `refuses other names`(id: String) {
    let (configuration, lines) = read("connectorId: \"\(id)\"\n")
    #expect(
      lines == [
        "c:1:14: error: \"\(id)\" is not a name for a connector. Begin with a letter, and use small letters, digits "
          + "and hyphens, at most 63."
      ])
    #expect(configuration?.connectorID == id)
  }

  @Test func `says what is missing, and where`() {
    let missing = "The key \"connectorId\" of connector.yaml is missing. Write connectorId: and a value."
    let (none, lines) = read("authMode: x\n")
    #expect(none == nil)
    #expect(
      lines == [
        "c:1:1: error: \(missing)",
        "c:1:11: warning: authMode means nothing any more. Remove it: @auth says who may call an operation.",
      ])
    let (empty, more) = read("authMode:\nconnectorId: \"\"\n")
    #expect(empty == nil)
    #expect(more == ["c:2:14: error: \(missing)"])
  }

  @Test func `takes texts of one line only`() {
    let (list, lines) = read("connectorId: [a]\n")
    #expect(list == nil)
    #expect(
      lines == [
        "c:1:14: error: The key \"connectorId\" of connector.yaml is not text. Write one behind the colon."
      ])
    let (tab, more) = read("connectorId: \"a\\tb\"\n")
    #expect(tab == nil)
    #expect(
      more == ["c:1:14: error: The key \"connectorId\" of connector.yaml is not text of one line. Shorten it."])
    let space = read("connectorId: a\ngenerate: {swiftSdk: {outputDir: \"a b\", package: P}}\n")
    #expect(space.lines == [] && space.configuration?.swiftPackages.first?.outputDirectory == "a b")
  }

  @Test func `counts the bytes of texts`() {
    for (text, isTaken) in [
      (String(repeating: "a", count: 1_000), true), (String(repeating: "a", count: 1_001), false),
      (String(repeating: "é", count: 500), true), (String(repeating: "é", count: 501), false),
    ] {
      let (configuration, lines) = read("connectorId: a\ngenerate: {swiftSdk: {outputDir: \(text), package: P}}\n")
      #expect(lines.isEmpty == isTaken)
      #expect(configuration?.swiftPackages.map(\.outputDirectory) == (isTaken ? [text] : []))
    }
  }

  @Test func `passes other languages over, each by its name`() {
    let (configuration, lines) = read(
      "connectorId: a\ngenerate:\n  javascriptSdk: {}\n  kotlinSdk: {}\n  dartSdk:\n  adminNodeSdk: {}\n  llmTools: {}\n"
    )
    #expect(configuration?.swiftPackages == [])
    let words = [("javascriptSdk", "JavaScript"), ("kotlinSdk", "Kotlin"), ("dartSdk", "Dart")]
    let others = words + [("adminNodeSdk", "Node.js"), ("llmTools", "language models")]
    #expect(
      lines
        == others.enumerated().map {
          "c:\($0 + 3):3: warning: \($1.0) is passed over: nothing is generated here for \($1.1). "
            + "Generate it with the tools of that platform."
        })
  }

  @Test func `names what generate has`() {
    #expect(
      read("connectorId: a\ngenerate: x\n").lines == [
        "c:2:11: error: generate is not a mapping. Write keys with values below it."
      ])
    #expect(
      read("connectorId: a\ngenerate: {swiftSDK: {}}\n").lines == [
        "c:2:12: warning: The key \"swiftSDK\" of generate means nothing. Did you mean swiftSdk?"
      ])
    let (nothing, lines) = read("connectorId: a\ngenerate:\n  swiftSdk: ~\n")
    #expect(nothing?.swiftPackages == [] && lines == [])
  }

  @Test func `wants a folder and a name of each package`() {
    let folder = "error: The key \"outputDir\" of swiftSdk is missing. Write outputDir: and a value."
    let name = "error: The key \"package\" of swiftSdk is missing. Write package: and a value."
    let (first, lines) = read("connectorId: a\ngenerate:\n  swiftSdk: {}\n")
    #expect(first?.swiftPackages == [])
    #expect(lines == ["c:3:13: \(folder)", "c:3:13: \(name)"])
    let (second, more) = read("connectorId: a\ngenerate:\n  swiftSdk: [{outputDir: a}, {package: P}, x]\n")
    #expect(second?.swiftPackages == [])
    #expect(
      more == [
        "c:3:14: \(name)", "c:3:30: \(folder)",
        "c:3:44: error: swiftSdk is not a mapping. Write keys with values below it.",
      ])
  }

  @Test(arguments: [
    ("A1", true), ("_A", true), ("z_9", true), (String(repeating: "a", count: 200), true), ("1A", false),
    ("__A", false), ("a b", false), ("a.b", false), ("ä", false), ("a\u{301}", false),
    (String(repeating: "a", count: 201), false),
  ])
  func `takes the names of Swift modules`(name: String, isTaken: Bool) {
    let (package, lines) = generation("", name: name)
    #expect(lines.isEmpty == isTaken)
    #expect(lines.allSatisfy { $0.hasPrefix("c:3:37: error: ") && $0.contains("is not a name for a Swift package") })
    #expect(package == SwiftGeneration(outputDirectory: "o", package: name, publisher: .observableMacro, cache: nil))
  }

  @Test func `says which words there are`() {
    let (package, lines) = generation(", observablePublisher: observable")
    #expect(package?.publisher == .observableMacro)
    #expect(
      lines == [
        "c:3:63: error: \"observable\" is not a value of \"observablePublisher\". "
          + "Did you mean observableMacro or observableObject?"
      ])
    let (other, more) = generation(", clientCache: {storage: disk}")
    #expect(other?.cache == ClientCache(maxAge: 0, maxSize: nil, storage: .persistent))
    #expect(more == ["c:3:65: error: \"disk\" is not a value of \"storage\". Write persistent or memory."])
  }

  @Test func `has a cache only where it is written, with usual values`() {
    #expect(generation("").package?.cache == nil)
    let usual = ClientCache(maxAge: 0, maxSize: nil, storage: .persistent)
    for text in ["clientCache: ", "clientCache: ~", "clientCache: {}", "clientCache: {maxAge: , maxSize: ~}"] {
      let (package, lines) = generation(", \(text)")
      #expect(package?.cache == usual && lines == [], "\(text)")
    }
    let (wrong, lines) = generation(", clientCache: x")
    #expect(wrong != nil && wrong?.cache == nil)
    #expect(lines == ["c:3:55: error: clientCache is not a mapping. Write keys with values below it."])
    let (all, none) = generation(", clientCache: {maxAge: 1h, maxSize: 7, storage: memory}")
    #expect(all?.cache == ClientCache(maxAge: 3_600_000, maxSize: 7, storage: .memory) && none == [])
  }

  @Test(arguments: [
    ("0s", 0), ("500ms", 500), ("1.5ms", 1), ("30s", 30_000), ("5m", 300_000), ("1.5h", 5_400_000),
    ("2d", 172_800_000), ("365d", 31_536_000_000), ("31536000000ms", 31_536_000_000),
  ])
  func `takes times up to a year`(text: String, milliseconds: Int) {
    let (package, lines) = generation(", clientCache: {maxAge: \(text)}")
    #expect(package?.cache?.maxAge == milliseconds && lines == [])
  }

  @Test(arguments: [
    "366d", "31536000001ms", "s", "5", "1.2.3s", "-1s", "5 m", "5M", "5w", "٣s", "5m\u{301}", "5\u{301}m", "soon",
  ])
  func `refuses other times`(text: String) {
    let (package, lines) = generation(", clientCache: {maxAge: \"\(text)\"}")
    #expect(package?.cache == ClientCache(maxAge: 0, maxSize: nil, storage: .persistent))
    #expect(lines == ["c:3:64: error: \"\(text)\" is not a time. Write it as 30s, 5m or 1h."])
  }

  @Test(
    arguments: [
      ("1", 1), ("1099511627776", 1 << 40), ("0", nil), ("1099511627777", nil), ("-1", nil), ("1.5", nil), ("1k", nil),
    ] as [(String, Int?)])
  func `takes sizes from a byte to a tebibyte`(text: String, size: Int?) {
    let (package, lines) = generation(", clientCache: {maxSize: \(text)}")
    #expect(package?.cache?.maxSize == size)
    #expect(lines == (size == nil ? ["c:3:65: error: \"\(text)\" is not a size. Write a number of bytes."] : []))
  }
}
