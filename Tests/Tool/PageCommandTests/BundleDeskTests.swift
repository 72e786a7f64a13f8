import BundleIndex
import ExtensionHosting
import HostServices
import Testing

@testable import BundleInstalling
@testable import PageCommand

/// What the page found in the indexes when somebody looked.
@Suite(.timeLimit(.minutes(1)))
struct `What the page has found` {
  private static let (app, other) = ("org.example.a", "org.example.b")
  private let index: ExtensionIndex
  private let second: ExtensionIndex

  init() throws {
    let store = BundleStore(state: StateDirectory(path: "/nonexistent"))
    index = try ExtensionIndex("https://one.example", store: store)
    second = try ExtensionIndex("https://two.example", store: store)
  }

  private func offer(_ identifier: String, _ version: String) -> ExtensionIndex.Offer {
    ExtensionIndex.Offer(
      IndexLine(
        identifier: identifier, version: version, title: "", digest: "", size: 1, team: "t", teamName: "T", key: "",
        asks: [], points: [], published: 0), index.url)
  }

  private func bundle(
    _ version: String?, identifier: String = app, isSigned: Bool = true, path: String = "/a.app"
  ) -> BundleDesk.Bundle {
    BundleDesk.Bundle(
      identifier: identifier, path: path, name: "A", version: version, team: "T", isSigned: isSigned, state: nil,
      isRevoked: false, reasons: [], wishes: [])
  }

  private var found: BundleDesk.Found {
    var found = BundleDesk.Found()
    found.updates[Self.app] = (ExtensionIndex.Update(installed: "1", offer: offer(Self.app, "2")), index)
    found.offers = [(offer(Self.other, "1"), index), (offer(Self.other, "3"), second)]
    return found
  }

  @Test func `is an update of the version that was installed then, and of no other`() {
    #expect(found.update(of: bundle("1"))?.offer.version == "2")
    #expect(found.update(of: bundle("2")) == nil, "somebody has installed it since")
    #expect(found.update(of: bundle(nil)) == nil && found.update(of: bundle("1", isSigned: false)) == nil)
    #expect(found.update(of: bundle("1", identifier: Self.other)) == nil)
  }

  @Test func `has the bundle of a form at the very bytes of its path`() {
    let bundles = ["\u{e9}", "e\u{301}"].map { bundle("1", identifier: "org.\($0.utf8.count)", path: "/\($0).app") }
    func meant(_ path: String?) -> String? {
      BundlesPage.bundle(in: path.map { ["path": $0] } ?? [:], of: bundles)?.identifier
    }
    #expect(meant("/\u{e9}.app") == "org.2" && meant("/e\u{301}.app") == "org.3")
    #expect(meant("/e.app") == nil && meant("") == nil && meant(nil) == nil)
  }

  @Test func `is offered until it is installed, by whomever`() {
    func offered(besides bundles: [BundleDesk.Bundle]) -> [String] {
      found.remainingOffers(besides: bundles).map { "\($0.offer.identifier) \($0.offer.version)" }
    }
    #expect(offered(besides: []) == ["\(Self.other) 1", "\(Self.other) 3"])
    #expect(offered(besides: [bundle("1")]).count == 2, "another one is")
    #expect(offered(besides: [bundle("1"), bundle(nil, identifier: Self.other, isSigned: false)]) == [])
  }

  @Test func `is installed in the version that was shown, from where it was found`() {
    #expect(found.place(of: Self.app, "2")?.index.url == index.url)
    #expect(found.place(of: Self.app, "1") == nil)
    #expect(found.place(of: Self.other, "1")?.index.url == index.url)
    #expect(found.place(of: Self.other, "3")?.index.url == second.url)
    #expect(found.place(of: Self.other, "2") == nil && found.place(of: "org.example.c", "1") == nil)
  }
}
