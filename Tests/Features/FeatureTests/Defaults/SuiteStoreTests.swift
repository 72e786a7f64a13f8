import ExtensionProtocol
import GroupStore
import JSON
import PropertyList
import Testing

@testable import HostServices

@Suite(.timeLimit(.minutes(1)))
struct `The errors of a group store on the wire` {
  private static let errors: [(error: GroupStoreError, code: ExtensionError.Code, details: [String: JSONValue])] = [
    (.conflict(key: "k", revision: 3), .storeFailed, [:]), (.fenced(lease: "l"), .storeFailed, [:]),
    (.quota("Full.", limit: 5), .limitExceeded, ["limit": 5]),
    (.unavailable("No.", recovery: "R.", isRetryable: true), .storeFailed, ["retryable": true]),
    (.unavailable("No.", recovery: "R.", isRetryable: false), .storeFailed, ["retryable": false]),
    (.corrupt("Torn.", setAside: "/y"), .storeFailed, ["setAside": "/y"]),
    (.corrupt("Torn.", setAside: nil), .storeFailed, [:]),
  ]

  @Test(arguments: errors) func `have a code, what they say, and the details that a caller decides by`(
    error: GroupStoreError, code: ExtensionError.Code, details: [String: JSONValue]
  ) {
    let found = SuiteStore.translate(error) as? ExtensionError
    #expect(found?.code == code && found?.details == details)
    #expect(found?.message == error.description && found?.recovery == error.recovery)
  }

  @Test func `say what happened, and what to do`() {
    #expect(GroupStoreError.conflict(key: "k", revision: 3).description == "The key \"k\" is at revision 3.")
    #expect(GroupStoreError.fenced(lease: "l").description == "The lease l is no longer held.")
    #expect(GroupStoreError.unavailable("No.", recovery: "R.", isRetryable: true).recovery == "R.")
    #expect(GroupStoreError.corrupt("Torn.", setAside: "/y").recovery.hasPrefix("The damaged file was kept as /y."))
    #expect(GroupStoreError.corrupt("Torn.", setAside: nil).recovery.hasPrefix("Move the damaged file away"))
    #expect(SuiteStore.translate(CancellationError()) is CancellationError, "others are left as they are")
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A watch of a suite` {
  private let store = SuiteStore.inMemory()

  private func watch(after revision: Int64) -> SuiteWatch {
    SuiteWatch(store: store, suite: "group.a", after: revision, of: nil)
  }

  private func changes(_ keys: ClosedRange<Int64>) -> SuiteStore.Changes {
    SuiteStore.Changes(
      after: keys.lowerBound - 1, revision: keys.upperBound,
      changes: keys.map { Defaults.Change(key: "\($0)", value: .integer($0), revision: $0) })
  }

  /// Sets one more key, which is called as the revision that comes of it.
  private func write(_ revision: Int64) async throws {
    #expect(try await store.apply(setting: ["\(revision)": .integer(revision)], in: "group.a") == revision)
  }

  @Test func `begins where the one before ended, and where it went back to`() async throws {
    let watch = watch(after: 0)
    try await write(1)
    #expect(try await watch.next() == changes(1...1))
    try await write(2)
    #expect(try await watch.next() == changes(2...2))
    for _ in 0..<2 {
      watch.goBack(to: 0)
      #expect(try await watch.next() == changes(1...2))
    }
    watch.goBack(to: 1)
    #expect(try await watch.next() == changes(2...2))
    try await write(3)
    #expect(try await watch.next() == changes(3...3))
    // Also before its first change.
    let late = self.watch(after: 3)
    late.goBack(to: 1)
    #expect(try await late.next() == changes(2...3))
  }
}
