import MeasuredHost
import BenchmarkResults
import GraphQL
import JSON
import JSONRPC

extension Workload {
  /// Operations and schemas read into trees, against the JSON parser of this package on an answer of the same length.
  static let graphQLParse = Workload(
    name: "graphql-parse", summary: "A text of operations and types is read, beside JSON of about the same length",
    unit: .megabytesPerSecond, count: 30
  ) { _, count in
    let source = GraphQLSource(bytes: document)
    return try throughput(document.count, count) {
      let result = GraphQLParser.read([source], limits: .sources)
      if !result.errors.isEmpty { throw BenchmarkError("\(result.errors[0])") }
    }
  } floor: { _, count in
    try throughput(answer.count, count) { _ = try JSONCoding.parse(answer) }
  }

  /// Megabytes a second, by the median run.
  private static func throughput(_ bytes: Int, _ count: Int, _ body: () throws -> Void) rethrows -> Reading {
    var times: [Double] = []
    for _ in 0..<count {
      let start = ContinuousClock.now
      try body()
      let time = (ContinuousClock.now - start).components
      times.append(Double(time.seconds) * 1e6 + Double(time.attoseconds) / 1e12)
    }
    return Reading(Double(bytes) / Samples(times).median)
  }

  private static let document = Array(String(repeating: operation + types, count: 200).utf8)
  private static let operation = """
    query AdventuresByActivity($activity: String!, $offset: Int = 0, $limit: Int, $format: Format = JPG) {
      adventureList(
        offset: $offset
        limit: $limit
        filter: {activity: {_expressions: [{value: $activity, _operator: EQUALS, _ignoreCase: true}]}}
        _assetTransform: {format: $format, preferWebp: true, quality: 80}
      ) {
        items {
          _path
          title
          price
          primaryImage { ... on ImageRef { _path _dynamicUrl mimeType width height } }
          description @include(if: true) { json plaintext }
        }
      }
    }


    """
  private static let types = """
    "An adventure, with what it takes"
    type Adventure implements Node & Named @table(name: "adventure", key: ["id"]) {
      id: ID! @default(expr: "uuidV4()")
      title: String!
      price(currency: Currency = EUR): Float
      activity: [String!]! @col(name: "activity")
      related(first: Int = 10, after: String): [Adventure!]!
    }

    input Adventure_Filter {
      _and: [Adventure_Filter!]
      title: String_Filter
    }


    """

  private static let item = #"""
    {"_path":"/content/dam/a","title":"Bali Surf Camp","slug":"bali-surf-camp","price":5000,"tripLength":"6 Days",\#
    "primaryImage":{"_path":"/content/dam/x.jpg","width":1920,"height":1080},"tags":["a","b"],"difficulty":null}
    """#
  private static let answer = Array("[\(Array(repeating: item, count: 1_200).joined(separator: ","))]".utf8)
}
