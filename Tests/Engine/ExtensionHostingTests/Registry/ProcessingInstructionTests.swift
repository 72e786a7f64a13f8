import ExtensionHosting
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A processing instruction in a manifest` {
  /// No property list needs one; an XML parser of Foundation's dereferenced the content that is not there.
  @Test(arguments: [
    "<?xml?>\n<!DOCT?PEU,BLI</", "<?xml version=\"1.0\"?><plist><?x?><true/></plist>", "<?x ?><plist><true/></plist>",
    "<plist><true/></plist><?x?>", "<??><plist><true/></plist>",
  ])
  func `without content is refused and no crash`(text: String) {
    guard case .problems(let problems) = PropertyListReader.parse(Array(text.utf8), file: nil) else {
      Issue.record("It was read.")
      return
    }
    #expect(!problems.isEmpty)
  }

  @Test func `that declares XML is as before`() {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><true/></plist>"
    guard case .value = PropertyListReader.parse(Array(text.utf8), file: nil) else {
      Issue.record("It was refused.")
      return
    }
  }
}
