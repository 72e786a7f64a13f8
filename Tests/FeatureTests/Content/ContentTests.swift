import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Content of a publisher` {
  static let entitled = Caller.Identity.testing(entitlements: ["content"])
  static let answer = Content.Execute.Result(
    data: ["adventureList": ["items": [["title": "Caves", "price": 5]]]], errors: [["message": "One is missing."]],
    source: "stale", ageSeconds: 90)

  struct Adventures: Codable, Sendable, Equatable {
    struct List: Codable, Sendable, Equatable { var items: [Adventure] }
    struct Adventure: Codable, Sendable, Equatable {
      var title: String
      var price: Double?
    }
    var adventureList: List
  }

  @Test func `is fetched by the host, with the variables in their order`() async throws {
    let asked = Kept<(String, JSONObject)>()
    let host = TestHost(services: [
      ContentService { query, variables in
        asked.keep((query, variables))
        return Self.answer
      }
    ])
    let answer = try await host.inWidget(as: Self.entitled) {
      try await $0.content("wknd-shared/adventures-all", variables: ["z": 1, "a": "two", "m": .null])
    }
    #expect(answer == Self.answer)
    #expect(asked.value?.0 == "wknd-shared/adventures-all")
    #expect(asked.value?.1.map(\.key) == ["z", "a", "m"])
    #expect(asked.value?.1["a"] == "two")
  }

  @Test func `can be taken as a type of the author's`() async throws {
    let host = TestHost(services: [ContentService { _, _ in Self.answer }])
    let answer = try await host.inWidget(as: Self.entitled) {
      try await $0.content("wknd-shared/adventures-all", as: Adventures.self)
    }
    #expect(answer.data == Adventures(adventureList: .init(items: [.init(title: "Caves", price: 5)])))
    #expect(answer.source == "stale")
    #expect(answer.ageSeconds == 90)
  }

  /// A host that notes whether content was asked for.
  private static func host(noting asked: Kept<Bool>) -> TestHost {
    TestHost(services: [
      ContentService { _, _ in
        asked.keep(true)
        return Self.answer
      }
    ])
  }

  @Test(arguments: [
    "", "adventures-all", "a/b/c", "/adventures-all", "wknd-shared/", "../etc", "wknd-shared/..", "a/b?c", "a/b;c=d",
    "a/%2e%2e", "a/b c", "https://example.com/a", "a//b", "wknd-shared/é",
  ])
  func `is not asked for by anything but two plain path segments`(query: String) async throws {
    let asked = Kept<Bool>()
    let host = Self.host(noting: asked)
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.inWidget(as: Self.entitled) { _ = try await $0.content(query) }
    }
    #expect(caught?.code == .invalidParams)
    #expect(asked.value == nil)
  }

  @Test func `needs the entitlement`() async throws {
    let asked = Kept<Bool>()
    let host = Self.host(noting: asked)
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.inWidget(as: .testing(entitlements: ["defaults"])) { _ = try await $0.content("a/b") }
    }
    #expect(caught?.code == .permissionDenied)
    #expect(caught?.details["permission"] == "content")
    #expect(caught?.recovery?.contains("Annex.Entitlements") == true)
    #expect(asked.value == nil)
  }

  @Test func `that cannot be fetched is an error with the reason`() async throws {
    let host = TestHost(services: [
      ContentService { _, _ in throw ExtensionError(.contentFailed, "The publisher answered 503.") }
    ])
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.inWidget(as: Self.entitled) { _ = try await $0.content("a/b") }
    }
    #expect(caught?.code == .contentFailed)
    #expect(caught?.message == "The publisher answered 503.")
  }
}
