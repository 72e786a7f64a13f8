import DataConnectStatements
import JSON
import PostgreSQL
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A filter` {
  /// The first letters of the titles of the movies that a filter leaves, in order.
  private func found(
    _ movies: QueriedDatabase, _ filter: String, _ variables: JSONObject = [:], declared: String = "",
    expressions: [String: JSONValue] = [:], sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws -> String {
    let query = "\(declared) @auth { movies(where: {\(filter)}, orderBy: {code: ASC}) { code } }"
    let answer = try await movies.answer(
      query, variables, expressions: expressions, sourceLocation: sourceLocation)
    let rows = try JSONCoding.parse(answer).arrayValue ?? []
    return rows.map { $0["code"]?.stringValue ?? "-" }.joined()
  }

  @Test func `compares every scalar`() async throws {
    let movies = try await Movies.database()
    for (filter, expected) in [
      ("year: {eq: 1926}", "a"), ("year: {ne: 1926}", "bc"), ("year: {gt: 1924, le: 1999}", "ac"),
      ("year: {ge: 1999}", "c"), ("year: {lt: 1926}", "b"), ("year: {isNull: true}", "-"),
      ("year: {isNull: false}", "abc"), ("year: {in: [1924, 1999]}", "bc"), ("year: {in: 1924}", "b"),
      ("year: {nin: [1924]}", "ac"), ("year: {in: []}", ""), ("year: {nin: []}", "abc-"), ("year: {eq: null}", "-"),
      ("year: {ne: null}", "abc"), ("year: {gt: null}", ""), ("year: {}", "abc-"), ("", "abc-"), ("year: null", "abc-"),
      (#"gross: {gt: "9007199254740992"}"#, "b"), ("gross: {eq: 9007199254740993}", "b"), ("score: {ge: 7.5}", "ab"),
      ("score: {eq: 0.1}", "c"), ("isGood: {eq: true}", "ab"), ("isGood: {ne: true}", "c"),
      (#"released: {gt: "1926-01-01T00:00:00"}"#, "ac"), (#"released: {in: ["1924-04-21"]}"#, "b"),
      (#"added: {eq: "2026-01-02T12:04:05.12+09:00"}"#, "b"), (#"added: {lt: "2026-01-01T00:00:00.001Z"}"#, "ac"),
      ("genre: {eq: ACTION}", "b"), ("genre: {gt: DRAMA}", "ab"), ("genre: {in: [DRAMA, COMEDY]}", "ac"),
      (#"facts: {eq: {a: [1, "b"]}}"#, "b"), ("facts: {in: [[1]]}", "a"),
      ("print: {eq: [1, 0, 0]}", "b"), ("print: {in: [[1, 0, 0], [0, 0, 1]]}", "bc"),
      ("print: {nin: [[1, 0, 0]]}", "ac"),
      (#"id: {eq: "{\#(Movies.id(1))}"}"#, "a"), (#"id: {in: ["\#(Movies.id(2))"]}"#, "b"),
      (#"code: {eq: "a"}"#, "a"), (#"code: {ge: "b"}"#, "bc"), (#"code: {eq: "a           "}"#, ""),
    ] {
      #expect(try await found(movies, filter) == expected, "\(filter)")
    }
  }

  @Test func `looks into texts, whose characters mean nothing`() async throws {
    let movies = try await Movies.database()
    for (filter, expected) in [
      (#"title: {contains: "run"}"#, "ab"), (#"title: {contains: "Run"}"#, ""), (#"title: {startsWith: "Alpha"}"#, "a"),
      (#"title: {endsWith: "runs"}"#, "b"), (#"title: {contains: "%"}"#, "c"), (#"title: {contains: "_"}"#, "c"),
      (#"title: {startsWith: "100%_\\ '"}"#, "c"), (#"title: {contains: "\\"}"#, "c"),
      (#"title: {contains: ""}"#, "abc-"),
      (#"title: {pattern: {like: "%RUN%"}}"#, ""), (#"title: {pattern: {like: "%RUN%", ignoreCase: true}}"#, "ab"),
      (#"title: {pattern: {regex: "^[AB].*run"}}"#, "ab"), (#"title: {pattern: {regex: "^alpha"}}"#, ""),
      (#"title: {pattern: {regex: "^alpha", ignoreCase: true}}"#, "a"), (#"title: {pattern: {}}"#, "abc-"),
    ] { #expect(try await found(movies, filter) == expected, "\(filter)") }
  }

  @Test func `looks into lists`() async throws {
    let movies = try await Movies.database()
    for (filter, expected) in [
      (#"tags: {includes: "run"}"#, "ab"), (#"tags: {excludes: "slow"}"#, "bc"),
      (#"tags: {includesAll: ["run", "fast, \"now\""]}"#, "b"), (#"tags: {excludesAll: ["slow", "x"]}"#, "bc"),
      ("genres: {includes: ACTION}", "b"), ("genres: {exist: {ge: COMEDY}}", "ab"), ("genres: {count: {eq: 0}}", "c-"),
      ("genres: {count: {ge: 2}}", "b"), ("genres: {exist: {eq: COMEDY}, count: {lt: 1}}", "c-"),
      (#"editions: {includes: "0F3A0000-0000-0000-0000-00000000000A"}"#, "b"),
      (#"sales: {includesAll: "9007199254740993"}"#, "b"), (#"seen: {includes: "2026-01-01T00:00:00Z"}"#, "b"),
    ] { #expect(try await found(movies, filter) == expected, "\(filter)") }
    #expect(
      try await found(
        movies, #"seen: {includes_time: {now: true, truncateTo: YEAR}}"#,
        expressions: ["request.time": "2026-11-23T06:00:00Z"]) == "b")
  }

  @Test func `of what is null, or says nothing, is none, or matches nothing`() async throws {
    let movies = try await Movies.database()
    for (filter, expected) in [
      ("year: {isNull: null}", "abc-"), ("year: {in: null}", ""), ("year: {nin: null}", ""),
      ("year: {eq_expr: null}", "abc-"), ("year: {eq: null, gt: 1}", ""), ("added: {gt_time: null}", "abc-"),
      ("title: {contains: null}", ""), ("title: {startsWith: null}", ""), ("title: {endsWith: null}", ""),
      ("title: {pattern: null}", "abc-"), ("title: {pattern: {ignoreCase: true}}", "abc-"),
      (#"title: {pattern: {like: null, regex: "^alpha", ignoreCase: true}}"#, "a"),
      (#"title: {pattern: {regex: null, like: "alpha%", ignoreCase: null}}"#, ""),
      (#"title: {pattern: {like: "alpha%", ignoreCase: true, regex: null}}"#, "a"),
      ("print: {in: []}", ""), ("print: {nin: []}", "abc-"),
      ("tags: {}", "abc-"), ("tags: {includes: null}", ""), ("tags: {includesAll: null}", ""),
      ("tags: {excludesAll: null}", ""), ("tags: {includesAll: []}", "abc"), ("tags: {excludesAll: []}", "abc"),
      ("genres: {exist: {}}", "abc-"), ("genres: {exist: {}, count: {ge: 2}}", "b"), ("genres: {count: {}}", "ab"),
      ("reviews_on_movie: {exist: {}}", "abc-"), ("reviews_on_movie: {exist: null}", "ab"),
      ("reviews_on_movie: {exist: {}, count: {eq: 0}}", "c-"), ("reviews_on_movie: {count: {}}", "ab"),
      ("reviews_on_movie: null", "abc-"), ("movieMetadata_on_movie: {}", "abc-"), ("director: null", "abc-"),
      ("_and: null", "abc-"), ("_or: null", "abc-"), ("_not: null", "abc-"), ("_or: [{}]", "abc-"),
      ("_or: [{}, {}], year: {eq: 1924}", "b"), ("_and: [{}, {_or: []}]", ""), ("_not: {_or: []}", "abc-"),
    ] { #expect(try await found(movies, filter) == expected, "\(filter)") }
  }

  @Test func `counts rows to the number that is said`() async throws {
    let movies = try await Movies.database()
    for (count, genres, reviews) in [
      ("gt: 0", "ab", "ab"), ("ne: 0", "ab", "ab"), ("eq: 0", "c-", "c-"), ("le: 0", "c-", "c-"), ("lt: 0", "", ""),
      ("ge: 0", "abc-", "abc-"), ("gt: 1", "b", "a"), ("ge: 1", "ab", "ab"), ("lt: 1", "c-", "c-"),
      ("le: 1", "ac-", "bc-"), ("eq: 2", "b", "a"), ("gt: 2", "", ""), ("ge: 2, le: 2", "b", "a"), ("eq: 1", "a", "b"),
    ] {
      #expect(try await found(movies, "genres: {count: {\(count)}}") == genres, "\(count)")
      #expect(try await found(movies, "reviews_on_movie: {count: {\(count)}}") == reviews, "\(count)")
    }
  }

  @Test func `is put together`() async throws {
    let movies = try await Movies.database()
    for (filter, expected) in [
      ("_or: [{year: {eq: 1924}}, {year: {eq: 1926}}], isGood: {eq: true}, score: {gt: 7.9}", "a"),
      ("_not: {_or: [{year: {eq: 1924}}, {year: {eq: 1926}}]}", "c"),
      ("_and: [{year: {gt: 1}}, {score: {lt: 1}}]", "c"),
      ("_and: []", "abc-"), ("_or: []", ""), ("_not: {}", "abc-"), ("_or: {code: {eq: \"a\"}}", "a"),
      ("_or: [{}, {code: {eq: \"a\"}}]", "a"), ("_not: {isGood: {eq: true}, score: {gt: 7.9}}", "bc"),
    ] { #expect(try await found(movies, filter) == expected, "\(filter)") }
  }

  @Test func `looks at other rows`() async throws {
    let movies = try await Movies.database()
    for (filter, expected) in [
      (#"director: {name: {eq: "Buster"}}"#, "ab"), (#"director: {movies_on_director: {count: {eq: 1}}}"#, "c"),
      (#"sequel: {sequel: {code: {eq: "c"}}}"#, "a"), ("reviews_on_movie: {}", "ab"),
      ("reviews_on_movie: {exist: {stars: {lt: 4}}}", "a"), ("reviews_on_movie: {count: {eq: 0}}", "c-"),
      ("reviews_on_movie: {count: {ge: 1, lt: 2}}", "b"), ("reviews_on_movie: {count: {gt: 0, lt: 2}}", "b"),
      ("reviews_on_movie: {exist: {stars: {eq: 5}}, count: {eq: 1}}", "ab"),
      (#"people_via_MovieActor: {exist: {name: {startsWith: "Ch"}}}"#, "a"),
      ("people_via_MovieActor: {count: {eq: 0}}", "c-"),
      (#"movieMetadata_on_movie: {tagline: {contains: "steam"}}"#, "a"), ("movieStat_on_movie: {many: {gt: 1}}", "a"),
      (
        "_or: [{director: {name: {eq: \"Agnès\"}}}, {reviews_on_movie: {count: {gt: 1}}}], isGood: {isNull: false}",
        "ac"
      ),
      ("director: {}", "abc-"),
    ] { #expect(try await found(movies, filter) == expected, "\(filter)") }
  }

  @Test func `drops what is not set, and takes null for null`() async throws {
    let movies = try await Movies.database()
    let (declared, filter) = ("($y: Int, $d: String)", "year: {eq: $y}, director: {name: {eq: $d}}")
    #expect(try await found(movies, filter, declared: declared) == "abc-")
    #expect(try await found(movies, filter, ["y": 1924], declared: declared) == "b")
    #expect(try await found(movies, filter, ["y": .null], declared: declared) == "-")
    #expect(try await found(movies, filter, ["d": "Agnès"], declared: declared) == "c")
    let either = "_or: [{year: {eq: $y}}, {director: {name: {eq: $d}}}]"
    #expect(try await found(movies, either, declared: declared) == "abc-")
    #expect(try await found(movies, either, ["d": "Agnès"], declared: declared) == "c")
    let stars = "reviews_on_movie: {exist: {stars: {eq: $y}}}"
    #expect(try await found(movies, stars, declared: declared) == "abc-")
    #expect(try await found(movies, stars, ["y": 3], declared: declared) == "a")
    #expect(try await found(movies, "tags: {includesAll: $t}", ["t": ["slow"]], declared: "($t: [String!])") == "a")
    let whole: JSONObject = ["w": ["_or": [["year": ["in": [1924]]], ["genre": ["eq": "DRAMA"]]]]]
    let query = "($w: Movie_Filter) @auth { movies(where: $w, orderBy: {code: ASC}) { code } }"
    #expect(try await movies.answer(query, whole) == #"[{"code":"b"},{"code":"c"}]"#)
    #expect(try await movies.answer(query).hasPrefix(#"[{"code":"a"}"#))
  }

  @Test func `has expressions, which match nothing where they are null`() async throws {
    let movies = try await Movies.database()
    let values: [String: JSONValue] = ["vars.y": 1924, "none": .null, "time": "2026-01-01T00:00:00Z", "c": "COMEDY"]
    for (filter, expected) in [
      (#"year: {eq_expr: "vars.y"}"#, "b"), (#"year: {ne_expr: "vars.y"}"#, "ac"),
      (#"year: {ge_expr: "vars.y"}"#, "abc"),
      (#"year: {eq_expr: "none"}"#, ""), (#"year: {ne_expr: "none"}"#, ""), (#"added: {le_expr: "time"}"#, "ac"),
      (#"genre: {eq_expr: "c"}"#, "a"), (#"director: {name: {eq_expr: "none"}}"#, ""),
    ] { #expect(try await found(movies, filter, expressions: values) == expected, "\(filter)") }
  }

  @Test func `has days and times that are computed`() async throws {
    let movies = try await Movies.database()
    let now: [String: JSONValue] = ["request.time": "2026-01-01T23:30:00Z"]
    for (filter, expected) in [
      ("added: {gt_time: {now: true}}", "b"), ("added: {eq_time: {now: true, truncateTo: DAY}}", "a"),
      ("added: {gt_time: {now: true, add: {hours: 4}}}", ""), ("added: {lt_time: {now: true, sub: {years: 20}}}", "c"),
      (
        #"added: {eq_time: {at: "2026-01-31T00:00:00Z", sub: {days: 29, minutes: 1}, add: {minutes: 1, days: -1}}}"#,
        "a"
      ),
      (#"added: {eq_time: {at: "2025-12-31T23:59:00Z", sub: {days: -1, minutes: 1439}}}"#, "a"),
      ("released: {lt_date: {today: true, sub: {years: 100}}}", "b"),
      (#"released: {eq_date: {on: "1926-12-28", add: {days: 3}}}"#, "a"),
      (#"released: {lt_date: {on: "1926-12-31", truncateTo: MONTH}}"#, "b"),
      (#"released: {eq_date: {on: "2000-01-01", sub: {weeks: 1, days: -6}}}"#, "c"),
    ] { #expect(try await found(movies, filter, expressions: now) == expected, "\(filter)") }
  }

  @Test func `escapes what would mean something, also below an accent`() throws {
    let schema = try QueriedDatabase.schema(Movies.schema)
    for (name, before, behind) in [("contains", "%", "%"), ("startsWith", "", "%"), ("endsWith", "%", "")] {
      let query = "($t: String) @auth { movies(where: {title: {\(name): $t}}) { code } }"
      let statement = try QueriedDatabase.statement(query, schema, ["t": "%\u{301}_\u{301}\\\u{301}é"])
      #expect(statement.parameters == [.text("\(before)\\%\u{301}\\_\u{301}\\\\\u{301}é\(behind)")])
    }
  }

  @Test func `refuses any two forms of one comparison`() throws {
    let schema = try QueriedDatabase.schema(Movies.schema)
    let query = "($w: Movie_Filter) @auth { movies(where: $w) { code } }"
    let forms = ["", "_expr", "_date", "_time"]
    for (column, names) in [("added", ["eq", "ne", "gt", "ge", "lt", "le"]), ("seen", ["includes", "excludes"])] {
      for name in names {
        for (index, form) in forms.enumerated() {
          for other in forms[(index + 1)...] {
            let (one, two) = (name + form, name + other)
            let both: JSONValue = [one: 1, two: 1]
            #expect(
              try QueriedDatabase.refusal(query, schema, ["w": [column: both]])
                == "where.\(column): \(one) and \(two) exclude each other.")
          }
        }
      }
    }
  }

  @Test func `refuses what excludes each other, and what is no value`() throws {
    let schema = try QueriedDatabase.schema(Movies.schema)
    let query = "($w: Movie_Filter) @auth { movies(where: $w) { code } }"
    for (filter, words) in [
      (["year": ["eq": 1, "eq_expr": "1"]], "where.year: eq and eq_expr exclude each other."),
      (["title": ["pattern": ["like": "a", "regex": "b"]]], "where.title.pattern: like and regex exclude each other."),
      (["year": ["eq": 3_000_000_000]], "where.year.eq: This has to be an integer of 32 bits."),
      (["year": ["eq_expr": "auth.uid"]], "where.year.eq_expr: This cannot be given through a variable"),
      (["gross": ["eq": "9223372036854775808"]], "where.gross.eq: This has to be an integer of 64 bits."),
      (["id": ["eq": "x"]], "where.id.eq: This has to be a UUID"),
      (["score": ["eq": "NaN"]], "where.score.eq: This has"),
      (["genre": ["in": ["NONE"]]], "where.genre.in.0: This has to be one of the values of Genre: DRAMA"),
      (["year": ["in": [.null]]], "where.year.in.0: A value of this list cannot be null."),
      (["title": ["eq": "a\0"]], "A text has the character U+0000"),
      (["no; DROP": ["eq": 1]], "where.no; DROP: Movie has"),
      (["title": ["or 1=1": 1]], "where.title.or 1=1: There is no condition"),
      (["_not": 1], "where._not: This has to be"),
      (["print": ["eq": []]], "where.print.eq: This has to be a list"),
      (["facts": 1], "where.facts: This has to be an object."),
      (
        ["tags": ["includes": "a", "includes_expr": "x"]], "where.tags: includes and includes_expr exclude each other."
      ),
      (["genres": ["excludes": "DRAMA", "excludes_expr": "x"]], "where.genres: excludes and excludes_expr exclude"),
      (
        ["added": ["eq_time": ["now": true, "at": "2026-01-01T00:00:00Z"]]],
        "where.added.eq_time: now and at exclude each other."
      ),
    ] as [(JSONObject, String)] {
      let refusal = try QueriedDatabase.refusal(query, schema, ["w": .object(filter)])
      #expect(refusal?.hasPrefix(words) == true, "\(refusal ?? "none") – \(words)")
    }
  }
}
