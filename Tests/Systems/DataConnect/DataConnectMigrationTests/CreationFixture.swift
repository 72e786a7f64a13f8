/// A schema with everything that a database can have of one.
enum CreationFixture {
  static let films = """
    enum Mood { DULL BRIGHT }
    type Film @table {
      title: String! @searchable
      plot: String @searchable
      nom: String @searchable(language: "french")
      mood: Mood! @default(value: BRIGHT)
      moods: [Mood!] @default(value: [DULL, BRIGHT])
      minutes: Int @default(value: 90) @index
      facts: Any @default(value: {words: ["it's", "a \\"b\\" \\\\"], many: 1}) @index(type: GIN)
      tags: [String!] @index
      released: Date @default(value: "2026-01-31")
      seen: Timestamp! @default(expr: "request.time")
      print: Vector @col(size: 3) @index(type: HNSW)
      code: String @col(dataType: "varchar(5)") @unique
      no: Int! @col(dataType: "serial")
      word: String! @default(sql: "upper('x') -- a word")
      sequel: Film
    }
    type Visitor @table(key: "uid") { uid: String! @default(expr: "auth.uid") name: String! @col(name: "Full \\"name\\"") }
    type Rating @table(key: ["film", "visitor"]) { film: Film! visitor: Visitor! stars: Int! text: String }
    type Poster @table(name: "order") { film: Film! @unique in: Int @index(order: [DESC]) }
    type ARanking @view(sql: "SELECT film_id, stars FROM film_numbers WHERE stars > 1;") { filmId: UUID stars: Float }
    type FilmNumbers @view(sql: "SELECT film_id, avg(stars) AS stars FROM rating GROUP BY film_id") {
      film: Film @unique
      stars: Float
    }
    """
}
