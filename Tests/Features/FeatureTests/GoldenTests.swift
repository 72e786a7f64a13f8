import JSONRPC
import Foundation
import HostServices
import JSON
import TestSupport
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

  /// The lines of a method: one for each shape that it has.
  private func goldens(_ method: String) throws -> [JSONValue] {
    let beginning = "{\"method\":\"\(method)\","
    return try Self.lines.values.joined().filter { $0.hasPrefix(beginning) }.map { try JSONValue(parsing: $0) }
  }

  @Test(arguments: try Cases.present(Golden.all))
  func `is encoded as its golden line has it`(golden: Golden) throws {
    let line = try golden.line()
    let goldens = try goldens(golden.method)
    #expect(goldens.contains(line), "\(goldens)")
  }

  @Test(arguments: try Cases.present(Golden.all))
  func `is decoded from its golden line without loss`(golden: Golden) throws {
    for line in try goldens(golden.method) { #expect(try golden.again(line) == line) }
  }

  @Test func `ignores members that it does not know`() throws {
    let params: JSONValue = ["suite": "group.a", "key": "k", "_meta": ["deadlineMs": 5], "later": [1]]
    #expect(try JSONCoding.decode(Defaults.Get.self, from: params).key == "k")
  }

  @Test func `of every contract has a golden line, and no line is left over or twice`() {
    let lines = Self.lines.values.joined()
    #expect(Set(lines).count == lines.count)
    for feature in Golden.features {
      let covered = feature.goldens.map(\.method)
      for method in feature.contract?.methods ?? [] { #expect(covered.contains(method.method), "\(method.method)") }
      let calls = (feature.contract?.calls ?? []) + (feature.contract?.points ?? []).flatMap(\.calls)
      for call in calls { #expect(covered.contains(call.method), "\(call.method)") }
      #expect(Self.lines[feature.name]?.count == covered.count, "\(feature.name)")
    }
  }

  /// One list is the truth: what the wire has beside it is no feature's.
  @Test func `is in the catalogue of the contracts and the points, or is the wire's own`() {
    let catalogue = Features.methods.entries
    #expect(Set(catalogue.map(\.method)).count == catalogue.count)
    let golden = Dictionary(Golden.all.map { ($0.method, $0.call == nil) }, uniquingKeysWith: { first, _ in first })
    for entry in catalogue { #expect(golden[entry.method] == entry.isNotification, "\(entry.method)") }
    let wire = Set(MethodCatalogue.wire.map(\.method) + [Log.method])
    #expect(Set(golden.keys).subtracting(catalogue.map(\.method)).subtracting(wire) == [])
  }
}
