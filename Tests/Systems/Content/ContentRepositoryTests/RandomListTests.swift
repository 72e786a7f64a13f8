import ContentRepository
import JSON
import TestSupport
import Testing

/// Lists of any fragments, filtered, sorted and cut in any way, beside a model that does it the plain way.
@Suite(.timeLimit(.minutes(2))) struct `A list of any fragments` {
  private struct City {
    let path: String
    let name: String?
    let population: Int?
    let isCapital: Bool?

    init(_ number: Int, _ chance: inout RandomSteps.Chance) {
      path = "/content/dam/demo/en/cities/c\(number + 100)"
      name = chance.happens(in: 4) ? nil : chance.one(of: ["a", "B", "b", "é", "zz", "Zürich"])
      population = chance.happens(in: 4) ? nil : chance.number(-1...3)
      isCapital = chance.happens(in: 3) ? nil : chance.happens(in: 2)
    }

    var json: String {
      let fields = [
        name.map { "\"name\": \"\($0)\"" }, population.map { "\"population\": \($0)" },
        isCapital.map { "\"isCapital\": \($0)" },
      ]
      return "{\"model\": \"demo/city\", \"fields\": {\(fields.compactMap(\.self).joined(separator: ", "))}}"
    }

    /// Before another one by a field, the same or behind it; what has no value comes first.
    func order(_ other: City, by field: Int) -> Int {
      func compare<Value: Comparable>(_ one: Value?, _ other: Value?) -> Int {
        switch (one, other) {
        case (nil, nil): 0
        case (nil, _): -1
        case (_, nil): 1
        case (let one?, let other?): one < other ? -1 : other < one ? 1 : 0
        }
      }
      return switch field {
      case 0: compare(name, other.name)
      case 1: compare(population, other.population)
      default: compare(isCapital.map { $0 ? 1 : 0 }, other.isCapital.map { $0 ? 1 : 0 })
      }
    }
  }

  private struct Question {
    static let fields = ["name", "population", "isCapital"]
    let sort: [(field: Int, isDescending: Bool)]
    let comparisons: [(word: String, value: Int)]
    let isAny: Bool
    let text: (word: String, value: String)?
    let offset: Int?
    let limit: Int?
    let first: Int

    init(_ chance: inout RandomSteps.Chance) {
      sort = (0..<chance.number(0...3)).map { _ in (chance.number(0...2), chance.happens(in: 2)) }
      comparisons = (0..<chance.number(0...2)).map { _ in
        (
          chance.one(of: ["EQUAL", "UNEQUAL", "GREATER", "GREATER_EQUAL", "LOWER", "LOWER_EQUAL"]),
          chance.number(-1...3)
        )
      }
      isAny = chance.happens(in: 2)
      text =
        chance.happens(in: 3)
        ? (
          chance.one(of: ["EQUALS", "EQUALS_NOT", "CONTAINS", "CONTAINS_NOT", "STARTS_WITH"]),
          chance.one(of: ["b", "é", "z", "ü", "a"])
        ) : nil
      offset = chance.happens(in: 2) ? chance.number(0...6) : nil
      limit = chance.happens(in: 2) ? chance.number(0...6) : nil
      first = chance.number(1...4)
    }

    private var order: String {
      let parts = sort.map { "\(Self.fields[$0.field])\($0.isDescending ? " DESC" : "")" }
      return sort.isEmpty ? "" : "sort: \"\(parts.joined(separator: ", "))\""
    }

    private var filter: String {
      var parts: [String] = []
      if !comparisons.isEmpty {
        let all = comparisons.map { "{value: \($0.value), _operator: \($0.word)}" }.joined(separator: ", ")
        parts.append("population: {_logOp: \(isAny ? "OR" : "AND"), _expressions: [\(all)]}")
      }
      if let text {
        parts.append("name: {_expressions: [{value: \"\(text.value)\", _operator: \(text.word)}]}")
      }
      return parts.isEmpty ? "" : "filter: {\(parts.joined(separator: ", "))}"
    }

    var list: String {
      let parts = [filter, order, offset.map { "offset: \($0)" } ?? "", limit.map { "limit: \($0)" } ?? ""]
      let arguments = parts.filter { !$0.isEmpty }.joined(separator: ", ")
      return "{ cityList\(arguments.isEmpty ? "" : "(\(arguments))") { items { _path } } }"
    }

    var pages: String {
      let parts = [filter, order].filter { !$0.isEmpty }.map { $0 + ", " }.joined()
      return """
        query($after: String) { cityPaginated(\(parts)first: \(first), after: $after) {
          edges { node { _path _id } } pageInfo { endCursor hasNextPage } } }
        """
    }

    func keeps(_ city: City) -> Bool {
      let passed = comparisons.map { comparison in
        let (value, population) = (comparison.value, city.population)
        return switch comparison.word {
        case "EQUAL": population == value
        case "UNEQUAL": population != value
        case "GREATER": population.map { $0 > value } ?? false
        case "GREATER_EQUAL": population.map { $0 >= value } ?? false
        case "LOWER": population.map { $0 < value } ?? false
        default: population.map { $0 <= value } ?? false
        }
      }
      guard passed.isEmpty || (isAny ? passed.contains(true) : !passed.contains(false)) else { return false }
      guard let text else { return true }
      return switch text.word {
      case "EQUALS": city.name == text.value
      case "EQUALS_NOT": city.name != text.value
      case "CONTAINS": city.name?.contains(text.value) ?? false
      case "CONTAINS_NOT": !(city.name?.contains(text.value) ?? false)
      default: city.name?.hasPrefix(text.value) ?? false
      }
    }

    func order(_ one: City, _ other: City) -> Int {
      for part in sort {
        let order = one.order(other, by: part.field)
        if order != 0 { return part.isDescending ? -order : order }
      }
      return 0
    }
  }

  /// What is wrong with the answers to some questions about some cities.
  private func fault(_ steps: [UInt64]) async throws -> String? {
    var (cities, questions): ([City], [Question]) = ([], [])
    for step in steps {
      var chance = RandomSteps.Chance(step)
      if chance.happens(in: 3) {
        cities.append(City(cities.count, &chance))
      } else {
        questions.append(Question(&chance))
      }
    }
    // Cities may share a name here.
    let model = (Samples.files["models/demo/city.json"] ?? "").replacing(", \"unique\": true", with: "")
    var files = ["models/demo/city.json": model]
    for city in cities { files[String(city.path.dropFirst()) + ".json"] = city.json }
    let state = try Samples.state(files)
    for question in questions {
      let kept = cities.filter(question.keeps)
      // The sort of the standard library leaves equal ones in their order.
      let sorted = kept.sorted { question.order($0, $1) < 0 }.map(\.path)
      let cut = sorted.dropFirst(question.offset ?? 0).prefix(question.limit ?? .max)
      let answer = await state.run(question.list, variables: [:], configuration: "demo")
      let found = answer["data"]?["cityList"]?["items"]?.arrayValue?.compactMap { $0["_path"]?.stringValue } ?? []
      if found != Array(cut) { return "\(question.list) is \(found), not \(Array(cut)) of \(cities.map(\.json))" }
      if let fault = await faultOfPages(question, kept, state) { return "\(fault) of \(cities.map(\.json))" }
    }
    return nil
  }

  /// Every fragment is on one page, and those of one page after the other are in order.
  private func faultOfPages(_ question: Question, _ kept: [City], _ state: ContentState) async -> String? {
    var (paths, cursor): ([(path: String, id: String)], JSONValue) = ([], .null)
    for _ in 0...kept.count {
      let page = await state.run(question.pages, variables: ["after": cursor], configuration: "demo")["data"]?[
        "cityPaginated"]
      let edges = page?["edges"]?.arrayValue ?? []
      paths += edges.map { ($0["node"]?["_path"]?.stringValue ?? "", $0["node"]?["_id"]?.stringValue ?? "") }
      let hasMore = page?["pageInfo"]?["hasNextPage"] == true
      if hasMore != (paths.count < kept.count) || (hasMore && edges.count != question.first) {
        return "\(question.pages) has a page of \(edges.count) after \(paths.count) of \(kept.count)"
      }
      if !hasMore { break }
      cursor = page?["pageInfo"]?["endCursor"] ?? .null
    }
    let found = paths.compactMap { place in kept.first { $0.path == place.path } }
    guard Set(paths.map(\.path)) == Set(kept.map(\.path)), found.count == kept.count else {
      return "\(question.pages) is \(paths), not \(kept.map(\.path))"
    }
    for (place, next) in zip(found.indices, found.indices.dropFirst()) {
      let order = question.order(found[place], found[next])
      if order > 0 || (order == 0 && paths[place].id >= paths[next].id) { return "\(question.pages) is \(paths)" }
    }
    return nil
  }

  @Test func `has what the filter leaves, in its order, and each once on one page`() async throws {
    #expect(try await RandomSteps.failure(seeds: 1...24, steps: 36) { try await fault($0) } == nil)
  }
}
