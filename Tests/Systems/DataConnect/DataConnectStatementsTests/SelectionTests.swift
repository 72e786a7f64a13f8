import DataConnectStatements
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `What is selected` {
  @Test func `has the form of the wire`() async throws {
    let movies = try await Movies.database()
    let all = "title genre year gross score released added isGood tags genres editions seen sales facts print code"
    let query = "($id: UUID!) @auth { movie(id: $id) { id \(all) directorId } }"
    #expect(
      try await movies.answer(query, ["id": .string(Movies.id(2).uppercased())])
        == #"{"id":"\#(Movies.id(2))","title":"Bravo runs","genre":"ACTION","year":1924,"gross":"9007199254740993","#
        + #""score":7.5,"released":"1924-04-21","added":"2026-01-02T03:04:05.120Z","isGood":true,"#
        + #""tags":["run","fast, \"now\""],"genres":["COMEDY","ACTION"],"editions":["0f3a000000000000000000000000000a"],"#
        + #""seen":["2026-01-01T00:00:00Z"],"sales":["9007199254740993"],"facts":{"a":[1,"b"]},"print":[1,0,0],"code":"b","#
        + #""directorId":"\#(Movies.id(2))"}"#)
    #expect(
      try await movies.answer(
        "@auth { movie(id: \"\(Movies.id(3))\") { title score added tags editions seen sales facts } }")
        == #"{"title":"100%_\\ 'Charlie'","score":0.1,"added":"1999-12-31T23:59:59.999999Z","tags":[],"editions":[],"#
        + #""seen":[],"sales":[],"facts":null}"#)
    let nothing = try await movies.answer("@auth { movie(id: \"\(Movies.id(4))\") { \(all) director { name } } }")
    #expect(nothing.hasPrefix(#"{"title":"Delta","genre":null"#) && nothing.hasSuffix(#""director":null}"#))
    #expect(nothing.split(separator: "null", omittingEmptySubsequences: false).count == 17)
    #expect(try await movies.answer("@auth { movie(id: \"\(Movies.id(9))\") { id } }") == "null")
  }

  @Test func `is told by a key, or comes first`() async throws {
    let movies = try await Movies.database()
    let review = "@auth { review(key: {movieId: \"\(Movies.id(1))\", readerUid_expr: \"auth.uid\"}) { stars } }"
    #expect(try await movies.answer(review, expressions: ["auth.uid": "u2"]) == #"{"stars":3}"#)
    // Without an account nobody is the reader.
    #expect(try await movies.answer(review, expressions: ["auth.uid": .null]) == "null")
    let reader = "@auth { reader(key: {uid_expr: \"auth.uid\"}) { name } }"
    #expect(try await movies.answer(reader, expressions: ["auth.uid": "u1"]) == #"{"name":"Una"}"#)
    let first = "@auth { movie(first: {where: {year: {gt: 1}}, orderBy: [{year: DESC}, {title: ASC}]}) { title } }"
    #expect(try await movies.answer(first) == #"{"title":"100%_\\ 'Charlie'"}"#)
    #expect(try await movies.answer("@auth { movie(first: {}) { title } }") == #"{"title":"Alpha running"}"#)
    let id = "($id: UUID) @auth { movie(id: $id) { title } }"
    #expect(try await movies.answer(id, ["id": .null]) == "null")
    #expect(try QueriedDatabase.refusal(id, movies.schema)?.contains("which row of Movie") == true)
    let key = "($key: Review_Key!) @auth { review(key: $key) { stars } }"
    #expect(
      try await movies.answer(key, ["key": ["movieId": .string(Movies.id(1)), "readerUid": "u1"]]) == #"{"stars":5}"#)
    #expect(
      try QueriedDatabase.refusal(key, movies.schema, ["key": ["readerUid": "u1"]])
        == "key: The key of Review lacks movieId.")
    // Expressions are the operation's.
    #expect(
      try QueriedDatabase.refusal(key, movies.schema, ["key": ["movieId_expr": "auth.uid", "readerUid": "u1"]])?
        .hasPrefix("key.movieId_expr: This cannot be given through a variable") == true)
  }

  @Test func `is of no row where its key is null`() async throws {
    let movies = try await Movies.database()
    let query = "($k: Movie_Key) @auth { movie(key: $k) { title } }"
    #expect(try await movies.answer(query, ["k": ["id": .string(Movies.id(1))]]) == #"{"title":"Alpha running"}"#)
    for key in [.null, ["id": .null]] as [JSONValue] { #expect(try await movies.answer(query, ["k": key]) == "null") }
    #expect(try QueriedDatabase.refusal(query, movies.schema)?.contains("which row of Movie") == true)
  }

  @Test func `is nested through references, lists and join tables`() async throws {
    let movies = try await Movies.database()
    let query = """
      @auth { movies(where: {year: {lt: 1950}}, orderBy: {title: ASC}) {
        title
        director { name made: movies_on_director(orderBy: {year: ASC}, limit: 1) { title } }
        sequel { title sequel { title } }
        movieMetadata_on_movie { tagline movie { year } }
        people_via_MovieActor(orderBy: {place: DESC}, where: {place: {gt: 0}}) { name }
        first: movieActors_on_movie(where: {place: {eq: 1}}) { role actor { name } }
        movieStat_on_movie { stars many movie { title } }
      } }
      """
    #expect(
      try await movies.answer(query)
        == #"[{"title":"Alpha running","director":{"name":"Buster","made":[{"title":"Bravo runs"}]},"#
        + #""sequel":{"title":"Bravo runs","sequel":{"title":"100%_\\ 'Charlie'"}},"#
        + #""movieMetadata_on_movie":{"tagline":"Full steam","movie":{"year":1926}},"#
        + #""people_via_MovieActor":[{"name":"Chantal"},{"name":"Buster"}],"#
        + #""first":[{"role":"Johnny","actor":{"name":"Buster"}}],"#
        + #""movieStat_on_movie":{"stars":4,"many":"2","movie":{"title":"Alpha running"}}},"#
        + #"{"title":"Bravo runs","director":{"name":"Buster","made":[{"title":"Bravo runs"}]},"#
        + #""sequel":{"title":"100%_\\ 'Charlie'","sequel":null},"movieMetadata_on_movie":null,"#
        + #""people_via_MovieActor":[{"name":"Buster"}],"first":[{"role":"The boy","actor":{"name":"Buster"}}],"#
        + #""movieStat_on_movie":{"stars":5,"many":"1","movie":{"title":"Bravo runs"}}}]"#)
    #expect(
      try await movies.answer("@auth { people(orderBy: {born: ASC}) { name movies_via_MovieActor { title } } }")
        == #"[{"name":"Buster","movies_via_MovieActor":[{"title":"Alpha running"},{"title":"Bravo runs"}]},"#
        + #"{"name":"Agnès","movies_via_MovieActor":[]},"#
        + #"{"name":"Chantal","movies_via_MovieActor":[{"title":"Alpha running"}]}]"#)
  }

  @Test func `has aliases, conditions and what is known of a row`() async throws {
    let movies = try await Movies.database()
    let query = """
      ($yes: Boolean!, $id: UUID!) @auth { movie(id: $id) {
        a: title b: title year @skip(if: $yes) score @include(if: $yes) __typename
        _metadata { relevance distance }
        ... @include(if: $yes) { director { n: name @skip(if: $yes) m: name } }
      } }
      """
    #expect(
      try await movies.answer(query, ["yes": true, "id": .string(Movies.id(1))])
        == #"{"a":"Alpha running","b":"Alpha running","score":8,"__typename":"Movie","#
        + #""_metadata":{"relevance":null,"distance":null},"director":{"m":"Buster"}}"#)
    #expect(
      try await movies.answer(query, ["yes": false, "id": .string(Movies.id(1))])
        == #"{"a":"Alpha running","b":"Alpha running","year":1926,"__typename":"Movie","#
        + #""_metadata":{"relevance":null,"distance":null}}"#)
  }

  @Test func `is there where one of two places has it, with what that place selects`() async throws {
    let movies = try await Movies.database()
    let query = """
      ($a: Boolean!, $b: Boolean!, $id: UUID!) @auth { movie(id: $id) {
        title @include(if: $a) title @include(if: $b)
        ... @include(if: $a) { director { id name } } ... @include(if: $b) { director { name born } }
      } }
      """
    for (first, second, director) in [
      (true, false, #""id":"\#(Movies.id(2))","name":"Buster""#),
      (false, true, #""name":"Buster","born":"1895-10-04""#),
      (true, true, #""id":"\#(Movies.id(2))","name":"Buster","born":"1895-10-04""#),
    ] {
      #expect(
        try await movies.answer(query, ["a": .bool(first), "b": .bool(second), "id": .string(Movies.id(1))])
          == #"{"title":"Alpha running","director":{\#(director)}}"#)
    }
    #expect(try await movies.answer(query, ["a": false, "b": false, "id": .string(Movies.id(1))]) == "{}")
  }

  @Test func `names a row for clients as they do`() async throws {
    let movies = try await Movies.database()
    let id = try await movies.answer("@auth { review(key: {movieId: \"\(Movies.id(1))\", readerUid: \"u1\"}) { _id } }")
    // printf 'Review\0{"movieId":"00…01","readerUid":"u1"}' | sha256sum
    #expect(id == #"{"_id":"8e2ae4f48f9fa8fbf320963dc29280e8"}"#)
  }

  @Test func `has more fields than a function of the server takes arguments`() async throws {
    let columns = (0..<120).map { "c\($0): Int" }.joined(separator: " ")
    let wide = try await QueriedDatabase("type Wide @table { \(columns) }", data: "INSERT INTO wide (c7) VALUES (7)")
    let fields = (0..<120).map { "c\($0)" }.joined(separator: " ")
    for count in [8, 50, 51] {
      let fields = (0..<count).map { "c\($0)" }.joined(separator: " ")
      let row = (0..<count).map { "\"c\($0)\":\($0 == 7 ? "7" : "null")" }.joined(separator: ",")
      #expect(try await wide.answer("@auth { wides { \(fields) } }") == "[{\(row)}]")
    }
    let answer = try await wide.answer("@auth { wides { \(fields) } }")
    #expect(answer.hasPrefix(#"[{"c0":null,"c1":null,"#) && answer.hasSuffix(#""c119":null}]"#))
    #expect(answer.contains(#""c7":7,"#))
  }
}
