import DataConnectCompiler
import JSON

extension SQLWriter {
  /// The functions that read what is searched, by format.
  private static let readers: [String: SQLText] = [
    "QUERY": "websearch_to_tsquery", "PLAIN": "plainto_tsquery", "PHRASE": "phraseto_tsquery", "ADVANCED": "to_tsquery",
  ]

  /// The rows in which words are found, the best first.
  func search(_ arguments: InputObject, _ table: Table) throws(StatementError) -> RowSource {
    var source = RowSource(table, self)
    guard let words = arguments.given("query") else {
      throw arguments.error("The search says nothing of what to look for.")
    }
    let format = try arguments.given("queryFormat")?.text() ?? "QUERY"
    guard let reader = Self.readers[format] else { throw arguments.error("There is no such format of searches.") }
    let query = try bind(words, as: "text") { value throws(StatementError) in try value.text() }
    var (found, ranks): ([SQLText], [SQLText]) = ([], [])
    for document in table.searchDocuments {
      let text = SQLText(trusted: document.sql(alias: source.alias.text))
      let words: SQLText = "\(reader)(\(SQLText(trusted: document.configuration)), \(query))"
      found.append("\(text) @@ \(words)")
      ranks.append("ts_rank(\(text), \(words))")
    }
    guard let condition = found.disjunction else { throw arguments.error("Nothing of \(table.name) can be searched.") }
    source.conditions = [condition]
    let rank: SQLText = "(\(ranks.joined(" + ")))"
    if let threshold = arguments.given("relevanceThreshold") {
      source.conditions.append("\(rank) >= \(try bind(number: threshold))")
    }
    source.measure = RowSource.Measure(kind: .relevance, sql: rank)
    return source
  }

  /// The functions that compare vectors, which every database with vectors has.
  private static let distances: [String: SQLText] = [
    "L2": "l2_distance", "COSINE": "cosine_distance", "INNER_PRODUCT": "negative_inner_product",
  ]

  /// The rows whose vectors are near another, the nearest first.
  func similarity(
    _ arguments: InputObject, _ table: Table, _ name: String
  ) throws(StatementError) -> RowSource {
    var source = RowSource(table, self)
    try arguments.exclude(["compare", "compare_embed"])
    let embed = arguments.given("compare_embed")
    guard let given = embed ?? arguments.given("compare"), let column = table.column(name) else {
      throw arguments.error("The search says nothing of what to compare with.")
    }
    let isEmbedded = embed != nil
    let compare = try bind(given, as: ParameterType(.vector).sql) { [schema] value throws(StatementError) in
      let vector = isEmbedded ? try Self.embedding(value, for: column) : value
      if let size = column.vectorSize, let count = vector.json.arrayValue?.count, count != size {
        throw vector.error("The vectors of \(table.name).\(name) have \(size) numbers, and this one has \(count).")
      }
      return try schema.text(vector, .scalar(.vector))
    }
    let method = try arguments.given("method")?.text() ?? "INNER_PRODUCT"
    guard let function = Self.distances[method] else { throw arguments.error("There is no such way to compare.") }
    let value = self.column(column, source.alias)
    let distance: SQLText = "\"annex\".\(function)(\(value), \(compare))"
    source.conditions = ["\(value) IS NOT NULL"]
    if let within = arguments.given("within") {
      source.conditions.append("\(distance) <= \(try bind(number: within))")
    }
    source.measure = RowSource.Measure(kind: .distance, sql: distance)
    return source
  }
}
