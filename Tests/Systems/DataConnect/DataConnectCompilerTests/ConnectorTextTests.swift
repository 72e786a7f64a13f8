import DataConnectCompiler
import Testing

/// Each text is written out, so that every byte that an edit leaves alone is looked at too.
@Suite(.timeLimit(.minutes(1)))
struct `The text of a connector's file` {
  private static func added(
    to text: String, outputDirectory: String = "../gen", package: String = "Films"
  ) -> String? {
    ConnectorText.adding(outputDirectory: outputDirectory, package: package, to: Array(text.utf8))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private static let packageLines = "    outputDir: \"../gen\"\n    package: \"Films\"\n"
  private static let block = "generate:\n  swiftSdk:\n\(packageLines)"
  private static let flow = "swiftSdk: {outputDir: \"../gen\", package: \"Films\"}"

  @Test func `gets a package at its end where it generates nothing`() {
    #expect(Self.added(to: "connectorId: films\n") == "connectorId: films\n\(Self.block)")
    #expect(Self.added(to: "---\nconnectorId: films\n") == "---\nconnectorId: films\n\(Self.block)")
    #expect(
      Self.added(to: "# A comment\nconnectorId: films # and one more")
        == "# A comment\nconnectorId: films # and one more\n\(Self.block)")
    #expect(Self.added(to: "connectorId: films") == "connectorId: films\n\(Self.block)")
  }

  @Test func `keeps the line ends of its first line`() {
    let windows = Self.block.split(separator: "\n").map { $0 + "\r\n" }.joined()
    #expect(Self.added(to: "connectorId: films\r\n") == "connectorId: films\r\n\(windows)")
    #expect(Self.added(to: "connectorId: films\r\n# end") == "connectorId: films\r\n# end\r\n\(windows)")
    #expect(Self.added(to: "\nconnectorId: films\n") == "\nconnectorId: films\n\(Self.block)")
    #expect(
      Self.added(to: "connectorId: films\r\ngenerate:\r\n  kotlinSdk: {outputDir: x}\r\n")
        == "connectorId: films\r\n\(windows)  kotlinSdk: {outputDir: x}\r\n")
    #expect(
      Self.added(to: "generate: ~\r\nconnectorId: films\r\n")
        == "generate: \r\n  swiftSdk:\r\n    outputDir: \"../gen\"\r\n    package: \"Films\"\r\nconnectorId: films\r\n")
  }

  @Test func `gets a package between braces where it is written so`() {
    #expect(Self.added(to: "{connectorId: films}") == "{generate: {\(Self.flow)}, connectorId: films}")
    #expect(
      Self.added(to: "# ä\n  {connectorId: films}\n") == "# ä\n  {generate: {\(Self.flow)}, connectorId: films}\n")
    #expect(
      Self.added(to: "connectorId: films\ngenerate: {}\n") == "connectorId: films\ngenerate: {\(Self.flow)}\n")
    #expect(
      Self.added(to: "connectorId: films\ngenerate: {kotlinSdk: {outputDir: x}}\n")
        == "connectorId: films\ngenerate: {\(Self.flow), kotlinSdk: {outputDir: x}}\n")
  }

  @Test func `counts characters and not bytes`() {
    #expect(
      Self.added(to: "{\"ä😀\": 1, connectorId: films, generate: {}}\n")
        == "{\"ä😀\": 1, connectorId: films, generate: {\(Self.flow)}}\n")
    #expect(
      Self.added(to: "{\"ä😀\": 1, connectorId: films, generate: {kotlinSdk: {outputDir: x}}}\n")
        == "{\"ä😀\": 1, connectorId: films, generate: {\(Self.flow), kotlinSdk: {outputDir: x}}}\n")
  }

  @Test(arguments: [
    ("connectorId: films\ngenerate:\n", "connectorId: films\n\(block)"),
    ("connectorId: films\ngenerate: ~", "connectorId: films\ngenerate: \n  swiftSdk:\n\(packageLines)"),
    (
      "generate: # later\nconnectorId: films\n",
      "generate: # later\n  swiftSdk:\n\(packageLines)connectorId: films\n"
    ),
    (
      "generate: null # later\nconnectorId: films\n",
      "generate: # later\n  swiftSdk:\n\(packageLines)connectorId: films\n"
    ),
    ("generate: null\nconnectorId: films\n", "generate: \n  swiftSdk:\n\(packageLines)connectorId: films\n"),
    (
      "connectorId: films\ngenerate:\n  kotlinSdk: {outputDir: x}\n  swiftSdk:\n",
      "connectorId: films\ngenerate:\n  kotlinSdk: {outputDir: x}\n  swiftSdk:\n\(packageLines)"
    ),
    (
      "connectorId: films\ngenerate:\n  swiftSdk: null\n  kotlinSdk: {outputDir: x}\n",
      "connectorId: films\ngenerate:\n  swiftSdk: \n\(packageLines)  kotlinSdk: {outputDir: x}\n"
    ),
    (
      "connectorId: films\ngenerate:\n  swiftSdk: ~ # x\n",
      "connectorId: films\ngenerate:\n  swiftSdk: # x\n\(packageLines)"
    ),
  ])
  func `gets a package in place of nothing`(text: String, expected: String) {
    #expect(Self.added(to: text) == expected)
  }

  @Test func `gets a package before the others, with the step that it has itself`() {
    let two = "connectorId: films\ngenerate:\n  # first\n  kotlinSdk:\n    outputDir: x\n"
    #expect(
      Self.added(to: two)
        == "connectorId: films\ngenerate:\n  # first\n  swiftSdk:\n\(Self.packageLines)  kotlinSdk:\n    outputDir: x\n"
    )
    let four = "connectorId: films\ngenerate:\n    kotlinSdk:\n        outputDir: x\n"
    #expect(
      Self.added(to: four)
        == "connectorId: films\ngenerate:\n    swiftSdk:\n        outputDir: \"../gen\"\n        package: \"Films\"\n"
        + "    kotlinSdk:\n        outputDir: x\n")
    let one = "connectorId: films\ngenerate:\n kotlinSdk:\n  outputDir: x\n"
    #expect(
      Self.added(to: one)
        == "connectorId: films\ngenerate:\n swiftSdk:\n   outputDir: \"../gen\"\n   package: \"Films\"\n"
        + " kotlinSdk:\n  outputDir: x\n")
  }

  @Test func `has texts between quotes`() {
    #expect(
      Self.added(to: "connectorId: films\n", outputDirectory: "../a \"ü\" \\ b: #c")
        == "connectorId: films\ngenerate:\n  swiftSdk:\n    outputDir: \"../a \\\"ü\\\" \\\\ b: #c\"\n"
        + "    package: \"Films\"\n")
  }

  @Test(arguments: [
    "", "a: [\n", "- a\n", "generate:\n", "authMode: x\n", "connectorId: films\ngenerate: x\n",
    "connectorId: films\ngenerate: [x]\n", "connectorId: films\ngenerate: {swiftSdk: }\n",
    "connectorId: films\ngenerate:\n  swiftSdk:\n    outputDir: a\n    package: B\n",
    "connectorId: films\ngenerate:\n  swiftSdk:\n    - outputDir: a\n      package: B\n",
  ])
  func `is left alone where it has one or is not understood`(text: String) {
    #expect(Self.added(to: text) == nil)
  }

  @Test func `takes nothing that would be read as something else`() {
    let text = "connectorId: films\n"
    #expect(Self.added(to: text, outputDirectory: "a\nb") == nil)
    #expect(Self.added(to: text, outputDirectory: "") == nil)
    #expect(Self.added(to: text, package: "a-b") == nil)
    #expect(Self.added(to: text, package: "") == nil)
    #expect(Self.added(to: text, outputDirectory: String(repeating: "é", count: 500)) != nil)
    #expect(Self.added(to: text, outputDirectory: String(repeating: "é", count: 501)) == nil)
  }
}
