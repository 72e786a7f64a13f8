import Foundation
import HostServices
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A method on the wire` {
  /// The lines of the files of goldens, by feature.
  private static let lines: [String: [String]] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Goldens")
    let pairs = Golden.features.map { feature in
      let file = folder.appending(path: "\(feature.name).ndjson")
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return (feature.name, text.split(separator: "\n").map(String.init))
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }()

  private func golden(_ method: String) throws -> JSONValue {
    let beginning = "{\"method\":\"\(method)\","
    let line = try #require(
      Self.lines.values.joined().first { $0.hasPrefix(beginning) }, "There is no golden line for \(method).")
    return try JSONValue(parsing: line)
  }

  @Test(arguments: Golden.all)
  func `is encoded as its golden line has it`(golden: Golden) throws {
    #expect(try golden.line() == self.golden(golden.method))
  }

  @Test(arguments: Golden.all)
  func `is decoded from its golden line without loss`(golden: Golden) throws {
    let line = try self.golden(golden.method)
    #expect(try golden.again(line) == line)
  }

  @Test func `ignores members that it does not know`() throws {
    let params: JSONValue = ["suite": "group.a", "key": "k", "_meta": ["deadlineMs": 5], "later": [1]]
    #expect(try JSONCoding.decode(Defaults.Get.self, from: params).key == "k")
  }

  @Test func `of every contract has one golden line, and no line is left over`() {
    let methods = Golden.all.map(\.method)
    #expect(Set(methods).count == methods.count)
    for feature in Golden.features {
      let covered = feature.goldens.map(\.method)
      for method in feature.contract?.methods ?? [] { #expect(covered.contains(method.method), "\(method.method)") }
      #expect(Self.lines[feature.name]?.count == covered.count, "\(feature.name)")
    }
  }
}
