import JSON
import Testing

@testable import DataConnectClient

@Suite
struct `A result that is taken apart` {
  @Test func `Rows that are alike share a shape`() {
    let rows: [JSONValue] = (0..<3).map { ["id": JSONValue($0), "owner": ["name": "N"], "tags": ["a"]] }
    let split = SplitResult(
      ["rows": .array(rows)], hints: [CacheHint(path: [.name("rows")], entities: ["a", "b", "c"])])
    #expect(split.tree[0] == [["id", ["owner"], "tags"]])
    #expect(split.entities["b"] == ["id": 1, "tags": ["a"]])
    #expect(JoinedResult.data(of: split.tree, entities: split.entities) == ["rows": .array(rows)])
  }

  @Test func `What is missing or damaged gives nothing`() {
    let split = SplitResult(["a": ["id": 1]], hints: [CacheHint(path: [.name("a")], entity: "e")])
    #expect(JoinedResult.data(of: split.tree, entities: [:]) == nil)
    #expect(JoinedResult.data(of: split.tree, entities: ["e": [:]]) == nil)
    let damaged: [JSONValue] = [
      .null, [], [[], []], [[], [9, 1]], [[], [0]], [[3], [1, "e", 0]], [[], [1, "e", 5]], [[["id"]], [1, "e", -1]],
      [[[["id"]]], [1, "e", 0]], [[], [2, 3, [0, 1]]], [[], [3, 4]],
    ]
    for tree in damaged { #expect(JoinedResult.data(of: tree, entities: ["e": ["id": 1]]) == nil, "\(tree)") }
  }

  @Test func `Whatever is taken apart is put together again`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      var hints: [CacheHint] = []
      let data = Self.value(depth: 4, path: [], &hints, &random)
      let split = SplitResult(data, hints: hints)
      #expect(JoinedResult.data(of: split.tree, entities: split.entities) == data, "\(data) \(hints)")
      let read = try? JSONValue(parsing: split.tree.description)
      #expect(read == split.tree)
    }
  }

  /// Any value, in which each entity stands once.
  private static func value(
    depth: Int, path: [CacheHint.Step], _ hints: inout [CacheHint], _ random: inout SystemRandomNumberGenerator
  ) -> JSONValue {
    switch Int.random(in: depth == 0 ? 3...6 : 0...6, using: &random) {
    case 0, 1:
      var object = JSONObject()
      for name in ["a", "b", "c", "d"].prefix(Int.random(in: 0...4, using: &random)) {
        object[name] = value(depth: depth - 1, path: path + [.name(name)], &hints, &random)
      }
      if Bool.random(using: &random) { hints.append(CacheHint(path: path, entity: "e\(hints.count)")) }
      return .object(object)
    case 2:
      let count = Int.random(in: 0...3, using: &random)
      let list = (0..<count).map { value(depth: depth - 1, path: path + [.index($0)], &hints, &random) }
      if Bool.random(using: &random) {
        let ids = (0...count).map { Bool.random(using: &random) ? "" : "l\(hints.count)-\($0)" }
        hints.append(CacheHint(path: path, entities: ids))
      }
      return .array(list)
    case 3: return .null
    case 4: return .string("text")
    case 5: return .array([1, "a", .null])
    default: return .integer(7)
    }
  }
}
