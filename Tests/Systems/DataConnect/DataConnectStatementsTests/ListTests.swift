import DataConnectStatements
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A list` {
  @Test func `is ordered and cut`() async throws {
    let movies = try await Movies.database()
    for (arguments, expected) in [
      ("orderBy: {year: DESC}", "-cab"), ("orderBy: [{isGood: ASC}, {title: DESC}]", "cba-"),
      ("orderBy: {isGood: DESC, title: ASC}", "-abc"), ("orderBy: {genre: ASC}", "cab-"),
      ("orderBy: {director: {born: DESC}}", "-cab"),
      ("orderBy: [{director: {name: ASC}}, {code: ASC}]", "cab-"),
      ("orderBy: {sequel: {director: {name: DESC}}}", "c-ab"),
      // In the order in which they were inserted.
      ("", "-cba"), ("limit: 2", "-c"), ("limit: 2, offset: 1", "cb"), ("limit: 0", ""), ("offset: 9", ""),
      ("orderBy: []", "-cba"), ("limit: null", "-cba"), ("orderBy: null", "-cba"), ("orderBy: {}", "-cba"),
      ("orderBy: {year: null}", "-cba"), ("orderBy: {year: null, code: DESC}", "-cba"),
      ("orderBy: [{}, {code: ASC}]", "abc-"),
      ("offset: null, limit: 1", "-"), ("offset: 3", "a"), ("offset: 4", ""), ("where: null", "-cba"),
    ] {
      let list = arguments.isEmpty ? "movies" : "movies(\(arguments))"
      let rows = try JSONCoding.parse(try await movies.answer("@auth { \(list) { code } }")).arrayValue ?? []
      #expect(rows.map { $0["code"]?.stringValue ?? "-" }.joined() == expected, "\(arguments)")
    }
    let query = "($l: Int, $o: [Movie_Order!]) @auth { movies(limit: $l, orderBy: $o) { code } }"
    // More than the most rows is as many as there may be.
    #expect(try await movies.answer(query, ["l": 10_001]) == movies.answer(query, ["l": 10_000]))
    #expect(try await movies.answer(query, ["l": 1, "o": [["score": "DESC"]]]) == #"[{"code":null}]"#)
    #expect(try await movies.answer(query, ["l": 1, "o": ["score": "ASC"]]) == #"[{"code":"c"}]"#)
    for (variables, words) in [
      (["l": -1], "limit: This has to be a number from 0 to 2147483647."),
      (["o": ["score": "RANDOM()"]], "orderBy.score: This has to be ASC or DESC."),
      (["o": ["1; --": "ASC"]], "orderBy.1; --: Movie cannot be ordered by 1; --."),
    ] as [(JSONObject, String)] {
      #expect(try QueriedDatabase.refusal(query, movies.schema, variables)?.hasPrefix(words) == true)
    }
  }

  @Test func `has a hundred rows unless it says otherwise`() async throws {
    let numbers = try await QueriedDatabase(
      "type Number @table(key: [\"n\"]) { n: Int! }", data: "INSERT INTO number SELECT generate_series(1, 300)")
    let rows = try JSONCoding.parse(try await numbers.answer("@auth { numbers { n } }")).arrayValue
    #expect(rows?.count == 100 && rows?.first?["n"] == 1)
    let more = try JSONCoding.parse(try await numbers.answer("@auth { numbers(limit: 250) { n } }")).arrayValue
    #expect(more?.count == 250)
  }

  @Test func `is computed of all rows, or of groups`() async throws {
    let movies = try await Movies.database()
    for (query, expected) in [
      (
        "movies { _count year_count gross_sum year_sum score_avg released_min added_max year_max }",
        #"[{"_count":4,"year_count":3,"gross_sum":"9007199254741010","year_sum":5849,"score_avg":5.2,"#
          + #""released_min":"1924-04-21","added_max":"2026-01-02T03:04:05.120Z","year_max":1999}]"#
      ),
      (
        "movies(where: {year: {eq: 1}}) { _count year_sum year_avg }",
        #"[{"_count":0,"year_sum":null,"year_avg":null}]"#
      ),
      (
        "reviews(orderBy: {stars: DESC}) { stars _count n: readerUid_count(distinct: true) }",
        #"[{"stars":5,"_count":2,"n":1},{"stars":3,"_count":1,"n":1}]"#
      ),
      ("reviews(having: {_count: {gt: 1}}) { stars }", #"[{"stars":5}]"#),
      (
        "reviews(having: {_or: [{_count: {eq: 1}}, {day_max: {gt: \"2027-01-01\"}}]}) { stars _count }",
        #"[{"stars":3,"_count":1}]"#
      ),
      (
        "reviews(having: {_distinct: true, readerUid_count: {eq: 1}}, orderBy: {stars: ASC}) { stars }",
        #"[{"stars":3},{"stars":5}]"#
      ),
      ("reviews { stars_avg(distinct: true) stars_sum(distinct: true) }", #"[{"stars_avg":4,"stars_sum":8}]"#),
      (
        "reviews(orderBy: [{_count: DESC}]) { movie { title } _count }",
        #"[{"movie":{"title":"Alpha running"},"_count":2},{"movie":{"title":"Bravo runs"},"_count":1}]"#
      ),
      ("reviews(distinct: true, orderBy: {stars: ASC}) { stars }", #"[{"stars":3},{"stars":5}]"#),
      ("reviews(distinct: true, orderBy: {day: DESC}, limit: 1) { readerUid }", #"[{"readerUid":"u1"}]"#),
      (
        "reviews(distinct: true, orderBy: {movie: {title: DESC}}) { reader { name } }",
        #"[{"reader":{"name":"Una"}},{"reader":{"name":null}}]"#
      ),
      (
        "movies(where: {facts: {isNull: false}}) { facts_max facts_min }",
        #"[{"facts_max":{"a":[1,"b"]},"facts_min":null}]"#
      ),
      (
        "movieStats(orderBy: {stars: DESC}) { stars many many_sum }",
        #"[{"stars":5,"many":"1","many_sum":"1"},{"stars":4,"many":"2","many_sum":"2"}]"#
      ),
      (
        "movies(where: {code: {eq: \"a\"}}) { title reviews_on_movie { _count stars_avg } people_via_MovieActor { _count } }",
        #"[{"title":"Alpha running","reviews_on_movie":[{"_count":2,"stars_avg":4}],"people_via_MovieActor":[{"_count":2}]}]"#
      ),
      (
        "movies(where: {code: {eq: \"a\"}}) { director { name _count } sequel { _count } }",
        #"[{"director":{"name":"Buster","_count":1},"sequel":{"_count":1}}]"#
      ),
      ("movies(where: {title: {eq: \"Delta\"}}) { sequel { _count } }", #"[{"sequel":null}]"#),
      (
        "movies(where: {code: {eq: \"a\"}}) { people_via_MovieActor(distinct: true, orderBy: {place: DESC}) { name } }",
        #"[{"people_via_MovieActor":[{"name":"Chantal"},{"name":"Buster"}]}]"#
      ),
      ("movieStats { __typename }", #"[{"__typename":"MovieStat"},{"__typename":"MovieStat"}]"#),
    ] { #expect(try await movies.answer("@auth { \(query) }") == expected, "\(query)") }
  }

  @Test func `is found by words, the best first`() async throws {
    let movies = try await Movies.database()
    for (arguments, expected) in [
      ("query: \"running\"", "ab"), ("query: \"run -alpha\"", "b"), ("query: \"third\"", "c"),
      ("query: \"runs alpha\", queryFormat: PLAIN", "a"), ("query: \"alpha running\", queryFormat: PHRASE", "a"),
      ("query: \"alph:* | bravo\", queryFormat: ADVANCED", "ab"),
      ("query: \"running\", where: {year: {lt: 1925}}", "b"),
      ("query: \"running\", limit: 1, offset: 1", "b"), ("query: \"running\", relevanceThreshold: 0.0001", "ab"),
      ("query: \"running\", queryFormat: null", "ab"), ("query: \"running\", relevanceThreshold: null", "ab"),
      ("query: \"running\", relevanceThreshold: 0.9", ""),
      ("query: \"'; DROP TABLE movie; --\"", ""), ("query: \"\"", ""),
    ] {
      let rows = try JSONCoding.parse(try await movies.answer("@auth { movies_search(\(arguments)) { code } }"))
      #expect(rows.arrayValue?.compactMap { $0["code"]?.stringValue }.joined() == expected, "\(arguments)")
    }
    let answer = try await movies.answer(
      "@auth { movies_search(query: \"runs\") { _metadata { r: relevance distance } } }")
    let metadata = try JSONCoding.parse(answer)[0]?["_metadata"]
    #expect((metadata?["r"]?.doubleValue ?? 0) > 0 && metadata?["distance"]?.isNull == true)
    #expect(try await movies.answer("@auth { movies_search(query: \"runs\") { _count } }") == #"[{"_count":2}]"#)
  }

  @Test func `is found by vectors, the nearest first`() async throws {
    let movies = try await Movies.database()
    let rows = "{ code _metadata { distance } }"
    for (arguments, expected) in [
      (
        "compare: [1, 0, 0], method: L2, limit: 2",
        #"[{"code":"b","_metadata":{"distance":0}},{"code":"a","_metadata":{"distance":0.7071067811865476}}]"#
      ),
      (
        "compare: [2, 0, 0]",
        #"[{"code":"b","_metadata":{"distance":-2}},{"code":"a","_metadata":{"distance":-1}},{"code":"c","_metadata":{"distance":0}}]"#
      ),
      ("compare: [2, 0, 0], method: COSINE, within: 0.5, where: {code: {ne: \"b\"}}", nil),
      ("compare: [0, 0, 3], method: L2, within: 2", #"[{"code":"c","_metadata":{"distance":2}}]"#),
    ] {
      let answer = try await movies.answer("@auth { movies_print_similarity(\(arguments)) \(rows) }")
      if let expected {
        #expect(answer == expected)
      } else {
        #expect(answer.hasPrefix(#"[{"code":"a","_metadata":{"distance":0.29"#))
      }
    }
    let query = "($v: Vector!) @auth { movies_print_similarity(compare: $v) { code } }"
    #expect(
      try QueriedDatabase.refusal(query, movies.schema, ["v": [1, 2]])
        == "compare: The vectors of Movie.print have 3 numbers, and this one has 2.")
  }

  @Test func `is found by texts, with vectors that stand in for those of a model`() async throws {
    let shelf = try await QueriedDatabase(
      """
      type Note @table(key: "name") { name: String! print: Vector @col(size: 64) }
      """, data: "")
    for name in ["A train in the snow", "The sea at night", "Trains, and snowy fields", ""] {
      let key = try await shelf.change(
        "($n: String!) { note_insert(data: {name: $n, print_embed: {model: \"any@1\", text: $n}}) }",
        ["n": .string(name)])
      #expect(key == JSONValue.object(["name": .string(name)]).description)
    }
    let search = "notes_print_similarity(compare_embed: {model: \"m\", text: $t}, method: COSINE, limit: 2)"
    let query = "($t: String!) @auth { \(search) { name _metadata { distance } } }"
    let found = try JSONCoding.parse(try await shelf.answer(query, ["t": "SNOW train"])).arrayValue ?? []
    #expect(Set(found.compactMap { $0["name"]?.stringValue }) == ["A train in the snow", "Trains, and snowy fields"])
    let same = try JSONCoding.parse(try await shelf.answer(query, ["t": "the sea; at NIGHT!"]))[0]
    #expect(same?["name"] == "The sea at night" && (same?["_metadata"]?["distance"]?.doubleValue ?? 1) < 0.001)
    // What has no letters has a direction too, and a vector of length 1.
    let none = try JSONCoding.parse(try await shelf.answer(query, ["t": "!"]))[0]
    #expect(none?["name"] == "")
    let length = "SELECT count(*) FROM note WHERE (SELECT abs(sum(x * x) - 1) < 0.01 FROM unnest(print::real[]) x)"
    #expect(try await shelf.rows(length) == ["4"])
    #expect(
      try QueriedDatabase.refusal(query, shelf.schema)
        == "compare_embed: A vector is made of a model and a text.")
  }
}
