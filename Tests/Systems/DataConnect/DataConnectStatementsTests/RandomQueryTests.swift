import JSON
import TestSupport
import Testing

/// Any filters, orders and cuts of rows, beside a model in the logic of SQL: true, false and unknown.
@Suite(.timeLimit(.minutes(2)))
struct `A query of any rows` {
  private struct Row {
    let n: Int
    let a: Int?
    let b: String?
    let c: Bool?

    init(_ number: Int, _ chance: inout RandomSteps.Chance) {
      n = number
      a = chance.happens(in: 4) ? nil : chance.number(0...3)
      b = chance.happens(in: 4) ? nil : chance.one(of: ["a", "b", "c"])
      c = chance.happens(in: 4) ? nil : chance.happens(in: 2)
    }

    var sql: String {
      "(\(n), \(a.map(String.init) ?? "NULL"), \(b.map { "'\($0)'" } ?? "NULL"), \(c.map(String.init) ?? "NULL"))"
    }
  }

  /// A condition, as it is written and as it holds; unknown is nil.
  private struct Filter {
    let text: String
    let holds: (Row) -> Bool?

    private static func compared<Value: Comparable>(
      _ field: String, _ word: String, _ value: Value, _ written: String, _ get: @escaping (Row) -> Value?
    ) -> Filter {
      Filter(text: "\(field): {\(word): \(written)}") { row in
        get(row).map { given in
          switch word {
          case "eq": given == value
          case "ne": given != value
          case "gt": given > value
          case "ge": given >= value
          case "lt": given < value
          default: given <= value
          }
        }
      }
    }

    private static func listed<Value: Equatable>(
      _ field: String, isIn: Bool, _ values: [Value], _ written: [String], _ get: @escaping (Row) -> Value?
    ) -> Filter {
      Filter(text: "\(field): {\(isIn ? "in" : "nin"): [\(written.joined(separator: ", "))]}") { row in
        // Of no values none is the same, whatever is compared.
        if values.isEmpty { return !isIn }
        return get(row).map { values.contains($0) == isIn }
      }
    }

    static func one(_ chance: inout RandomSteps.Chance) -> Filter {
      let word = chance.one(of: ["eq", "ne", "gt", "ge", "lt", "le"])
      switch chance.number(0...5) {
      case 0:
        let value = chance.number(0...3)
        return compared("a", word, value, "\(value)", \.a)
      case 1:
        let value = chance.one(of: ["a", "b", "c"])
        return compared("b", word, value, "\"\(value)\"", \.b)
      case 2:
        let value = chance.happens(in: 2)
        return compared("c", value ? "eq" : "ne", 1, "true") { $0.c.map { $0 ? 1 : 0 } }
      case 3:
        let values = (0..<chance.number(0...2)).map { _ in chance.number(0...3) }
        return listed("a", isIn: chance.happens(in: 2), values, values.map(String.init), \.a)
      case 4:
        let values = (0..<chance.number(0...2)).map { _ in chance.one(of: ["a", "b", "c"]) }
        return listed("b", isIn: chance.happens(in: 2), values, values.map { "\"\($0)\"" }, \.b)
      default:
        let isNull = chance.happens(in: 2)
        return Filter(text: "a: {isNull: \(isNull)}") { ($0.a == nil) == isNull }
      }
    }

    private static func all(_ values: [Bool?]) -> Bool? {
      values.contains(false) ? false : values.contains(nil) ? nil : true
    }

    static func any(_ chance: inout RandomSteps.Chance, depth: Int) -> Filter {
      guard depth > 0, !chance.happens(in: 3) else { return one(&chance) }
      let parts = (0..<chance.number(1...3)).map { _ in any(&chance, depth: depth - 1) }
      let list = parts.map { "{\($0.text)}" }.joined(separator: ", ")
      switch chance.number(0...2) {
      case 0: return Filter(text: "_and: [\(list)]") { row in all(parts.map { $0.holds(row) }) }
      case 1:
        return Filter(text: "_or: [\(list)]") { row in all(parts.map { $0.holds(row).map { !$0 } }).map { !$0 } }
      default: return Filter(text: "_not: {\(parts[0].text)}") { row in parts[0].holds(row).map { !$0 } }
      }
    }
  }

  private struct Question {
    let filter: Filter?
    let order: [(field: Int, isDescending: Bool)]
    let offset: Int?
    let limit: Int?

    init(_ step: UInt64) {
      var chance = RandomSteps.Chance(step)
      filter = chance.happens(in: 5) ? nil : .any(&chance, depth: 3)
      var order = (0..<chance.number(0...3)).map { _ in (chance.number(0...2), chance.happens(in: 2)) }
      if !order.isEmpty { order.append((3, chance.happens(in: 2))) }
      self.order = order
      offset = chance.happens(in: 2) ? chance.number(0...20) : nil
      limit = chance.happens(in: 2) ? chance.number(0...20) : nil
    }

    var text: String {
      let terms = order.map { "{\(["a", "b", "c", "n"][$0.field]): \($0.isDescending ? "DESC" : "ASC")}" }
      let parts = [
        filter.map { "where: {\($0.text)}" }, order.isEmpty ? nil : "orderBy: [\(terms.joined(separator: ", "))]",
        offset.map { "offset: \($0)" }, limit.map { "limit: \($0)" },
      ].compactMap(\.self)
      return "@auth { items\(parts.isEmpty ? "" : "(\(parts.joined(separator: ", ")))") { n } }"
    }

    /// In SQL what is not known comes last, or first where the order is the other way round.
    private static func order(_ one: Row, _ other: Row, by field: Int) -> Int {
      func compare<Value: Comparable>(_ one: Value?, _ other: Value?) -> Int {
        switch (one, other) {
        case (nil, nil): 0
        case (nil, _): 1
        case (_, nil): -1
        case (let one?, let other?): one < other ? -1 : other < one ? 1 : 0
        }
      }
      return switch field {
      case 0: compare(one.a, other.a)
      case 1: compare(one.b, other.b)
      case 2: compare(one.c.map { $0 ? 1 : 0 }, other.c.map { $0 ? 1 : 0 })
      default: compare(one.n, other.n)
      }
    }

    func answer(_ rows: [Row]) -> [Int] {
      let kept = rows.filter { filter?.holds($0) ?? (filter == nil) }
      let sorted = kept.sorted { one, other in
        for part in order {
          let order = Self.order(one, other, by: part.field)
          if order != 0 { return part.isDescending ? order > 0 : order < 0 }
        }
        return false
      }
      return sorted.dropFirst(offset ?? 0).prefix(limit ?? 100).map(\.n)
    }
  }

  @Test func `answers with the rows of which the filter is true, in their order`() async throws {
    var chance = RandomSteps.Chance(32)
    // Their numbers are not in the order of their insertion.
    let rows = (0..<40).map { Row(($0 * 7) % 40, &chance) }
    let items = try await QueriedDatabase(
      "type Item @table { n: Int! a: Int b: String c: Boolean }",
      data: "INSERT INTO item (n, a, b, c) VALUES \(rows.map(\.sql).joined(separator: ", "))")
    let failure = try await RandomSteps.failure(seeds: 1...4, steps: 60) { steps in
      for step in steps {
        let question = Question(step)
        let found = try JSONCoding.parse(try await items.answer(question.text)).arrayValue ?? []
        let numbers = found.compactMap { $0["n"]?.integerValue.map(Int.init) }
        if numbers != question.answer(rows) { return "\(question.text) is \(numbers), not \(question.answer(rows))" }
      }
      return nil
    }
    #expect(failure == nil)
  }
}
