import Testing

@testable import FeatureCommands

@Suite(.timeLimit(.minutes(1)))
struct `The folder of a service's private database` {
  @Test(arguments: ["a", "Movies-2_x", String(repeating: "s", count: 63)])
  func `is called as the service where that is the name of a folder`(id: String) {
    #expect(DataPlace.folderName(id) == id)
  }

  @Test func `is another one for each service, and always one folder`() {
    let long = String(repeating: "s", count: 63)
    let ids = [
      "", "_", ".", "..", "a.b", "a_b", "a/b", "a b", "é", "e\u{301}", "١", long, long + "s", long + "t", "a\0b",
      "../a",
    ]
    let names = ids.map(DataPlace.folderName)
    #expect(Set(names).count == ids.count)
    for name in names {
      #expect((1...63).contains(name.utf8.count) && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F })
      #expect(!name.hasPrefix(".") && !name.hasSuffix(".removed"), "\(name)")
    }
  }
}
