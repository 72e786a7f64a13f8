import JSONRPC
import ExtensionHosting
import ExtensionProtocol
import Foundation
import HostServices
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A containing app` {
  private static let url = "adventures://adventure/caves"

  @Test func `is started for a URL when it does not run`() async throws {
    let stage = try Stage()
    let result = try await stage.open(Self.url)
    #expect(result.handled)
    #expect(result.presentation?.hasPrefix("Lantern Caves\n") == true)
    #expect(stage.scratchFolders.isEmpty)
  }

  @Test func `does not know every URL`() async throws {
    #expect(try await Stage().open("adventures://elsewhere") == OpenURL.Deliver.Result(handled: false))
  }

  @Test func `is reached where it runs already`() async throws {
    let folder = try TemporaryFolder()
    let app = try HostTool(folder).startProduct("Adventures")
    _ = try await app.hear("is running")
    let stage = try Stage(folder)
    for _ in 1...2 { #expect(try await stage.open(Self.url).handled) }
    let shown = try await app.hear("Lantern Caves")
    #expect(shown.contains("Price: $12.5"))
    #expect(stage.scratchFolders.isEmpty, "no second process was started")
    // It stays when the hosts are gone, and a second one finds it running.
    let second = try await HostTool(folder).startProduct("Adventures").finish()
    #expect(second.status == 69)
    #expect(second.stderr == "error: com.example.adventures is running already.\n")
    app.signal(SIGTERM)
    #expect(try await app.finish().status != 0)
    #expect(try await stage.open(Self.url).handled, "it is started again when it has ended")
  }

  @Test func `gets the URL that its widget opens, once`() async throws {
    let folder = try TemporaryFolder()
    try Script.install(
      "opener", in: folder,
      """
      first = call("url/open", {"requestID": params["requestID"], "url": "fixtures://here"})
      second = call("url/open", {"requestID": params["requestID"], "url": "fixtures://again"})
      other = call("url/open", {"requestID": params["requestID"], "url": "adventures://adventure/caves"})
      file = call("url/open", {"requestID": params["requestID"], "url": "file:///etc/passwd"})
      stale = call("url/open", {"requestID": "r0", "url": "fixtures://here"})
      show([answer["result"].get("reason", "opened") for answer in [first, second, other, file, stale]])
      """)
    let view = try await Stage(folder).update("com.example.fixtures.opener").view
    #expect(view?.text == "['opened', 'rateLimited', 'notContainingApp', 'malformed', 'requestUnknown']")
  }
}
