import JSON
import Contracts
import ExtensionHosting
import ExtensionProtocol
import Foundation
import JSONRPC
import Testing

/// Folders are counted once a second, and a process may be gone before.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `The last look at the folders of a process` {
  private func stage(_ body: String) throws -> (stage: Stage, id: String) {
    let folder = try TemporaryFolder()
    let id = try Script.install("hoarder", in: folder, body)
    var limits = ExtensionLimits(memoryMiB: 64)
    limits.containerFiles = 20
    return (try Stage(folder, limits: limits), id)
  }

  /// A host whose extension has answered: one that is counted just before is ended, which other tests are about.
  private func answered(_ body: String) async throws -> (stage: Stage, id: String) {
    while true {
      let (stage, id) = try stage(body)
      do {
        #expect(try await stage.update(id) == .newData("done"))
        return (stage, id)
      } catch let error as ExtensionError where error.reason == "diskQuota" {}
    }
  }

  @Test func `finds what it has left, which is remembered with the figure`() async throws {
    let (stage, id) = try await answered(
      """
      for number in range(40):
          open(directories["container"] + "/%d" % number, "w").close()
      show("done")
      """)
    let failure = try #require(stage.host.health(of: id).lastFailure)
    #expect(failure.kind == .diskQuota && failure.measure?.ceiling == 20, "\(failure)")
    #expect(failure.message.contains("has left too much"), "\(failure)")
    #expect(stage.log.messages(of: id).contains { $0.contains("has left too much") })
    let refused = try await stage.failure(of: id)
    #expect(refused.code == .limitExceeded && refused.details["ceiling"] == 20, "\(refused)")
  }

  @Test func `finds nothing where it has left as much as it may`() async throws {
    let (stage, id) = try stage(
      """
      for number in range(8):
          open(directories["container"] + "/%d" % number, "w").close()
      show("done")
      """)
    #expect(try await stage.update(id) == .newData("done"))
    #expect(try await stage.update(id) == .newData("done"))
    #expect(stage.host.health(of: id).lastFailure == nil)
    #expect(stage.scratchFolders.isEmpty)
  }
}
