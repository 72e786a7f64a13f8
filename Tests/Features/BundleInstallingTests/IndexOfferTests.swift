import BundleIndex
import ExtensionHosting
import ExtensionProtocol
import Files
import HostServices
import TestSupport
import Testing

@testable import BundleInstalling

@Suite(.timeLimit(.minutes(1)))
struct `The choice among the versions of an index` {
  private func offer(
    _ version: String, published: Int64 = 0, yanked: String? = nil, digest: String = ""
  ) -> ExtensionIndex.Offer {
    ExtensionIndex.Offer(
      IndexLine(
        identifier: "a.b", version: version, title: "", digest: digest, size: 1, team: "t", teamName: "T", key: "",
        asks: [], points: [], published: published, yanked: yanked), "https://index.example")
  }

  private func chosen(
    _ offers: [ExtensionIndex.Offer], _ version: String? = nil, age: Int64 = 0, at time: Int64 = 100
  ) -> String? {
    var choice = ExtensionIndex.Choice(version: version)
    choice.minimumAge = age
    let offer = try? ExtensionIndex.choose("a.b", choice, among: offers, at: time)
    return offer.map { $0.version + $0.digest }
  }

  private func refusal(_ offers: [ExtensionIndex.Offer], _ version: String? = nil, age: Int64 = 0) -> ExtensionError? {
    var choice = ExtensionIndex.Choice(version: version)
    choice.minimumAge = age
    do {
      _ = try ExtensionIndex.choose("a.b", choice, among: offers, at: 100)
      return nil
    } catch { return error }
  }

  @Test func `is the highest that was not taken back, wherever it stands`() {
    #expect(chosen([offer("1.9"), offer("1.10"), offer("1.2")]) == "1.10")
    #expect(chosen([offer("1"), offer("3", yanked: ""), offer("2")]) == "2")
    #expect(chosen([offer("1", yanked: "bad")]) == nil && chosen([]) == nil)
    #expect(chosen([offer("1"), offer("2", yanked: "bad")], "2") == "2")
    #expect(chosen([offer("1", digest: "a"), offer("1", digest: "b")], "1") == "1b", "the last of one version")
    #expect(chosen([offer("1.0")], "1") == nil)
  }

  @Test func `is old enough to the second, where an age is asked for`() {
    let offers = [offer("1", published: 50), offer("2", published: 60), offer("3", published: 61)]
    #expect(chosen(offers, age: 40) == "2" && chosen(offers, age: 39) == "3" && chosen(offers, age: 41) == "1")
    #expect(
      chosen(offers, age: 51) == nil && chosen(offers, "3", age: 40) == nil && chosen(offers, "2", age: 40) == "2")
    // Without an age the clocks say nothing.
    #expect(chosen([offer("1", published: 500)]) == "1" && chosen([offer("1", published: 500)], age: -1) == "1")
    #expect(chosen([offer("1", published: 500)], age: 1) == nil)
  }

  @Test func `says what there is instead`() throws {
    let none = try #require(refusal([]))
    #expect(none.code == .extensionUnknown && none.message == "The index has no “a.b”.")
    let offers = (1...9).map { offer("\($0)", published: 60, yanked: $0 == 9 ? "bad" : nil) }
    let missing = try #require(refusal(offers, "10"))
    #expect(missing.message == "The index has no version 10 of a.b that may be installed.")
    #expect(missing.recovery == "It has: 2, 3, 4, 5, 6, 7, 8, 9 (taken back).")
    let young = try #require(refusal(offers, age: 41))
    #expect(young.message == "The index has no version of a.b that may be installed and is old enough.")
  }

  @Test func `is of an index with an address`() throws {
    let folder = try TemporaryDirectory()
    let store = BundleStore(state: StateDirectory(path: folder.path))
    let start = "https://index.example/"
    let longest = start + String(repeating: "a", count: 2_048 - start.utf8.count)
    #expect(try ExtensionIndex(longest, store: store).url == longest)
    #expect(try ExtensionIndex(longest + "/", store: store).url == longest)
    #expect(try ExtensionIndex("https://index.example/x/", store: store).url == "https://index.example/x")
    for url in [longest + "a", "", "index.example", "https://index.example?x", "https://index.example#x", "file:///x"] {
      #expect(throws: ExtensionError(.invalidParams, ""), "\(url)") { try ExtensionIndex(url, store: store) }
    }
    let index = try ExtensionIndex("https://index.example", store: store)
    #expect(try !index.isTrusted && index.root == nil && !index.forget() && ExtensionIndex.trusted(store).isEmpty)
  }

  @Test func `is made by the fingerprint in groups of four`() {
    let root = ExtensionIndex.Root(fingerprint: "abcdefghij", version: 1, expires: 1)
    #expect(root.shown == "abcd efgh ij")
  }

  @Test func `keeps what a killed download left for the same file, and for no other`() throws {
    let folder = try TemporaryDirectory()
    let place = IndexPlace("https://index.example", StateDirectory(path: folder.path))
    for digest in ["a", "b"] { try File.replace(try place.download(digest), with: [1]) }
    let unpacked = try place.unpackingFolder()
    place.sweep(keeping: "a")
    #expect(Folder.names(in: "\(place.path)/downloads") == ["a.part"] && !Folder.isFolder(unpacked))
    place.sweep()
    #expect(Folder.names(in: "\(place.path)/downloads") == [])
  }

  @Test func `forgets the metadata of before when an index is trusted again`() throws {
    let folder = try TemporaryDirectory()
    let state = StateDirectory(path: folder.path)
    let url = "https://index.example"
    let place = IndexPlace(url, state)
    for root in [[1], [2]] as [[UInt8]] {
      try place.trust(root, of: url, state)
      #expect(place.isTrusted && place.kept() == ["root.json": root] && IndexPlace.urls(state) == [url])
      try File.replace("\(place.path)/snapshot.json", with: [7])
      #expect(place.kept().count == 2)
      File.remove("\(place.path)/root.json")
      #expect(!place.isTrusted && IndexPlace.urls(state) == [])
    }
    try place.trust([3], of: url, state)
    try place.forget()
    #expect(!place.isTrusted && place.kept().isEmpty && IndexPlace.urls(state) == [])
  }

  @Test func `asks its user by whom a bundle is`() {
    let signed = BundleTeam(team: "t", name: "T")
    let unsigned = BundleTeam(team: "", name: "unsigned")
    let away = BundleQuestion.otherTeam(identifier: "a.b", owner: signed, newcomer: unsigned).sentence
    #expect(away.hasPrefix("a.b belongs to \(signed.shown), and this bundle is unsigned, local. "))
    let back = BundleQuestion.otherTeam(identifier: "a.b", owner: unsigned, newcomer: signed).sentence
    #expect(back.hasPrefix("a.b belongs to an unsigned, local app, and this bundle is signed by \(signed.shown). "))
    let more = BundleQuestion.moreCapabilities(identifier: "a.b", more: ["x", "y"], team: signed).sentence
    #expect(more == "a.b of \(signed.shown) asks for more than was approved: x, y.")
  }
}
