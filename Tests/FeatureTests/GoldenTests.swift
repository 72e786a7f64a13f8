import Foundation
import HostServices
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A method on the wire` {
  /// The lines of the file of goldens, in order.
  private static let lines: [String] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Goldens/methods.ndjson")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }()

  private func golden(_ method: String) throws -> JSONValue {
    let beginning = "{\"method\":\"\(method)\","
    let line = try #require(Self.lines.first { $0.hasPrefix(beginning) }, "There is no golden line for \(method).")
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
    let contracts: [any ServiceContract.Type] = [
      Action.self, Content.self, Defaults.self, Items.self, OpenURL.self, Request.self, Share.self, Today.self,
    ]
    let methods = Golden.all.map(\.method)
    #expect(Set(methods).count == methods.count)
    for method in contracts.flatMap({ $0.methods }) { #expect(methods.contains(method.method), "\(method.method)") }
    #expect(Self.lines.count == methods.count)
  }
}
