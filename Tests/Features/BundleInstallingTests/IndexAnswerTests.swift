import BundleInstalling
import ExtensionProtocol
import HTTPServer
import JSON
import Synchronization
import Testing

/// What an index answers besides its files, and what is asked of it.
@Suite(.timeLimit(.minutes(2)))
struct `The answers of an index` {
  private let stage: IndexStage

  init() throws {
    stage = try IndexStage()
    try stage.publish([stage.addition(stage.bundle("1"))])
  }

  private static let statuses: [(status: Int, kind: String)] = [
    (403, "missing"), (404, "missing"), (410, "missing"), (400, "status"), (405, "status"), (500, "status"),
  ]

  @Test(arguments: statuses) func `tell whether there is one`(status: Int, kind: String) async throws {
    try await stage.withIndex(isTrusted: false) { index async throws in
      stage.fault.withLock { $0 = { _ in ServerResponse(status: status) } }
      let error = await #expect(throws: ExtensionError(.networkFailed, "")) {
        try await index.trust { _ in
          Issue.record("there is nothing to trust")
          return true
        }
      }
      #expect(error?.details["kind"] == .string(kind))
      #expect(error?.details["status"] == (kind == "status" ? .integer(Int64(status)) : nil))
      #expect(!index.isTrusted && ExtensionIndex.trusted(stage.store).isEmpty)
      stage.fault.withLock { $0 = { _ in nil } }
      try await index.trust { _ in true }
      #expect(index.isTrusted)
    }
  }

  @Test func `are missed where they have been described`() async throws {
    try await stage.withIndex { index async throws in
      stage.fault.withLock {
        $0 = { request in request.path.hasPrefix("/files/") ? ServerResponse(status: 404) : nil }
      }
      let offers = await #expect(throws: ExtensionError(.extensionInvalid, "")) {
        try await index.offers(of: IndexStage.app)
      }
      #expect(offers?.details["metadata"] == "missing")
      #expect(offers?.details["file"] == .string("names/\(IndexStage.app)"))
      let found = await #expect(throws: ExtensionError(.extensionInvalid, "")) { try await index.search([]) }
      #expect(found?.details["metadata"] == "missing" && found?.details["file"] == "catalogue")
      stage.fault.withLock { $0 = { _ in nil } }
      let again = try await index.offers(of: IndexStage.app)
      #expect(again.count == 1)
    }
  }

  @Test func `are looked through for all of the words`() async throws {
    try await stage.withIndex { index async throws in
      for (words, count) in [
        ([], 1), (["tides"], 1), (["ExAmPlE"], 1), (["org.example.tides", "today"], 1), (["tides", "moon"], 0),
        (["moon"], 0),
      ] as [([String], Int)] {
        let found = try await index.search(words)
        #expect(found.count == count, "\(words)")
      }
    }
  }

  @Test func `are for names, and nothing is asked for what is none`() async throws {
    try await stage.withIndex { index async throws in
      let offers = try await index.offers(of: IndexStage.app)
      #expect(offers.map(\.version) == ["1"] && offers.map(\.index) == [index.url])
      let unknown = try await index.offers(of: "org.example.other")
      #expect(unknown.isEmpty)
      let odd = try await index.offers(of: "../root")
      #expect(odd.isEmpty)
      #expect(!stage.requests.withLock { $0 }.contains { $0.contains("..") || $0.contains("root/") })
    }
  }

  @Test func `are counted to the last byte`() async throws {
    let heard = Mutex<[(Int64, Int64)]>([])
    try await stage.withIndex { index async throws in
      _ = try await index.install(
        IndexStage.app,
        progress: { received, total in
          heard.withLock { $0.append((received, total)) }
        }
      ) { _ in true }
    }
    let all = heard.withLock { $0 }
    #expect(all.contains { $0.0 == $0.1 && $0.1 > 0 })
    #expect(Set(all.map { $0.1 }).count == 1 && all.allSatisfy { $0.0 <= $0.1 })
  }
}
