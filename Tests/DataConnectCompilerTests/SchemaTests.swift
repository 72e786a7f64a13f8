import DataConnectCompiler
import GraphQL
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The compiler of schemas` {
  @Test func `compiles`() {
    let result = SchemaCompiler.compile([GraphQLSource("""
    enum Mood { DULL BRIGHT }
    type Film @table(name: "films") {
      title: String! @searchable
      "How it feels."
      mood: Mood @default(value: DULL)
      moods: [Mood!]
      tags: [String!]
      minutes: Int
      released: Date
      seen: Timestamp! @default(expr: "request.time")
      plot: Vector @col(size: 3)
      extra: Any
      sequel: Film
    }
    type Visitor @table(key: "uid") { uid: String! @default(expr: "auth.uid") name: String! }
    type Rating @table(key: ["film", "visitor"]) @index(fields: ["stars", "visitor"], order: [DESC, ASC]) {
      film: Film!
      visitor: Visitor! @ref(fields: "visitorUid")
      visitorUid: String!
      stars: Int! @index
    }
    type Poster @table(key: "film") { film: Film! picture: String! @unique }
    type FilmNumbers @view(sql: "SELECT film_id, avg(stars) AS stars FROM rating GROUP BY film_id") {
      film: Film @unique
      stars: Float
    }
    """, name: "schema.gql")])
    #expect(result.problems.map(\.description) == [])
    for file in result.schema?.expansionFiles ?? [] { print("// \(file.path)\n\(file.path == "prelude.gql" ? "" : file.text)") }
    print(result.schema?.tables.map { ($0.name, $0.columns.map { "\($0.name) \($0.sqlName) \($0.sqlType)" }, $0.indexes, $0.uniques) } as Any)
  }
}
