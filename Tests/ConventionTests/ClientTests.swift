import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The clients in other languages` {
  @Test func `know of the protocol what its schema says`() throws {
    let check = try ShellCommand.output(of: "'\(SourceTree.root.path)/Scripts/clients' --check 2>&1")
    #expect(check.status == 0, "\(check.text)Run Scripts/clients.")
  }

  @Test func `have a file of types for each language, and the names in it that they use`() throws {
    let types = try #require(SourceTree.file("Plugins/Clients/Python/annex/types.py")?.text)
    for name in ["ExtensionItem", "WidgetView", "WidgetPerformUpdateResult", "ContentExecuteResult"] {
      #expect(types.contains(name), "\(name)")
    }
  }
}
