import Foundation
import TestPrograms
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The clients in other languages` {
  @Test func `know of the protocol what its schema says`() throws {
    let check = try ShellCommand.output(of: "'\(SourceTree.root.path)/Scripts/clients' --check 2>&1")
    #expect(check.status == 0, "\(check.text)Run make regenerate.")
  }

  @Test func `have a file of types for each language, and the names in it that they use`() throws {
    let types = try #require(SourceTree.file("Plugins/Clients/Python/annex/types.py")?.text)
    for name in ["ExtensionItem", "WidgetView", "WidgetPerformUpdateResult", "ContentExecuteResult"] {
      #expect(types.contains(name), "\(name)")
    }
  }

  /// As the library for Swift does, and the client for Node.
  @Test func `end a request that the user leaves with the error that Apple has for it`() throws {
    let script = """
      import annex
      from annex.testing import TestHost
      with TestHost(annex.ShareExtension()) as host:
          params = {"requestID": "r1", "point": "com.apple.share-services", "inputItems": []}
          host.call("context/beginRequest", params)
          host.call("share/didSelectCancel", {"requestID": "r1"})
          with host._has_ended: host._has_ended.wait_for(lambda: "r1" in host._ends, timeout=20)
          error = host._ends["r1"]["error"]
          print(error["domain"], error["code"])
      """
    let clients = "\(SourceTree.root.path)/Plugins/Clients/Python"
    let shown = try ShellCommand.output(
      of: "PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='\(clients)' /usr/bin/python3 - 2>&1 <<'END'\n\(script)\nEND")
    #expect(shown.text == "NSCocoaErrorDomain 3072\n", "\(shown)")
  }
}
