/// A schema with everything that queries can ask for, and some rows.
enum Movies {
  static let schema = """
    enum Genre { DRAMA COMEDY ACTION }
    type Person @table(plural: "people") { name: String! born: Date }
    type Movie @table {
      title: String! @searchable
      plot: String @searchable(language: "simple")
      genre: Genre @index
      year: Int
      gross: Int64
      score: Float
      released: Date
      added: Timestamp
      isGood: Boolean
      tags: [String!]
      genres: [Genre!]
      editions: [UUID!]
      seen: [Timestamp!]
      sales: [Int64!]
      facts: Any
      print: Vector @col(size: 3)
      code: String @col(dataType: "varchar(8)")
      director: Person
      sequel: Movie
    }
    type MovieActor @table(key: ["movie", "actor"]) { movie: Movie! actor: Person! role: String! place: Int! }
    type MovieMetadata @table { movie: Movie! @unique tagline: String }
    type Reader @table(key: "uid") { uid: String! name: String }
    type Review @table(key: ["movie", "reader"]) { movie: Movie! reader: Reader! stars: Int! text: String day: Date }
    type MovieStat @view(
      sql: "SELECT movie_id, avg(stars)::float8 AS stars, count(*) AS many FROM review GROUP BY movie_id"
    ) {
      movie: Movie @unique
      stars: Float
      many: Int64
    }
    """

  /// The key of the movie, or person, with this number.
  static func id(_ number: Int) -> String { "0000000000000000000000000000000\(number)" }

  static let data = """
    INSERT INTO person (id, name, born) VALUES
      ('\(id(1))', 'Agnès', '1928-05-30'), ('\(id(2))', 'Buster', '1895-10-04'), ('\(id(3))', 'Chantal', NULL);
    INSERT INTO movie (id, title, plot, genre, year, gross, score, released, added, is_good, tags, genres, editions, seen,
      sales, facts, print, code, director_id, sequel_id) VALUES
      ('\(id(4))', 'Delta', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL),
      ('\(id(3))', '100%_\\ ''Charlie''', 'A third one', 'DRAMA', 1999, 5, 0.1, '1999-12-31', '1999-12-31T23:59:59.999999Z',
        false, '{}', '{}', '{}', '{}', '{}', 'null', '{0,0,1}', 'c', '\(id(1))', NULL),
      ('\(id(2))', 'Bravo runs', 'The second', 'ACTION', 1924, 9007199254740993, 7.5, '1924-04-21',
        '2026-01-02T03:04:05.120Z', true, '{run,"fast, \\"now\\""}', '{COMEDY,ACTION}',
        '{0f3a0000-0000-0000-0000-00000000000a}', '{2026-01-01T00:00:00Z}', '{9007199254740993}', '{"a": [1, "b"]}',
        '{1,0,0}', 'b', '\(id(2))', '\(id(3))'),
      ('\(id(1))', 'Alpha running', 'The first', 'COMEDY', 1926, 12, 8, '1926-12-31', '2026-01-01T00:00:00Z', true,
        '{run,slow}', '{COMEDY}', NULL, NULL, NULL, '[1]', '{0.5,0.5,0}', 'a', '\(id(2))', '\(id(2))');
    INSERT INTO movie_actor (movie_id, actor_id, role, place) VALUES
      ('\(id(1))', '\(id(2))', 'Johnny', 1), ('\(id(1))', '\(id(3))', 'Annabelle', 2), ('\(id(2))', '\(id(2))', 'The boy', 1);
    INSERT INTO movie_metadata (id, movie_id, tagline) VALUES ('\(id(7))', '\(id(1))', 'Full steam');
    INSERT INTO reader VALUES ('u1', 'Una'), ('u2', NULL);
    INSERT INTO review (movie_id, reader_uid, stars, text, day) VALUES
      ('\(id(1))', 'u1', 5, 'Great', '2026-01-10'), ('\(id(1))', 'u2', 3, NULL, '2026-02-10'),
      ('\(id(2))', 'u1', 5, 'Good', '2026-03-10')
    """

  static func database() async throws -> QueriedDatabase { try await QueriedDatabase(schema, data: data) }
}
