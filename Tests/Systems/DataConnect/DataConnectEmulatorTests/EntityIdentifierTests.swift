import GraphQL
import JSON
import Testing

@testable import DataConnectEmulator

/// Which row an object of a response is, to the byte; without a database.
@Suite(.timeLimit(.minutes(1)))
struct `The identifier of a row` {
  @Test func `is the beginning of a digest of its table and its key`() {
    #expect(EntityID.text("Movie", ["id": "a"]) == "f6e42b2296070a56ca5f9d3405d3ab57")
    #expect(EntityID.text("Plain", [:]) == "fb9a48d2493a06b8e54d62e0465564f6")
  }

  @Test func `is the same in whatever order the key has its columns`() {
    for key in [["movieId": "b", "author": "ann"], ["author": "ann", "movieId": "b"]] as [JSONObject] {
      #expect(EntityID.text("Review", key) == "7824424e1942612af6a9d21a573b03f0")
    }
    for key in [["a": 1, "b": "é", "c": true], ["c": true, "b": "é", "a": 1]] as [JSONObject] {
      #expect(EntityID.text("Thing", key) == "0a539bfe840275e6718f4c728e55b85c")
    }
  }

  @Test func `differs where the table, a column or a value does`() {
    let keys: [(String, JSONObject)] = [
      ("T", ["a": 1]), ("U", ["a": 1]), ("T", ["b": 1]), ("T", ["a": 2]), ("T", ["a": "1"]), ("T", ["a": .null]),
      ("T", ["a": 1, "b": 1]), ("T", [:]),
    ]
    #expect(Set(keys.map { EntityID.text($0.0, $0.1) }).count == keys.count)
  }

  @Test(
    arguments: [
      (#"[["Movie", {"id": "a"}], ["Review", {"movieId": "b", "author": "ann"}]]"#, 2), ("[]", 0), ("{}", 0), ("", 0),
      ("null", 0), (#"[["Movie"], [1, {"id": "a"}], ["Movie", "a"], "Movie", null]"#, 0),
      (#"[["Movie", 1], ["Movie", {"id": "a"}]]"#, 1), (#"[["Movie", {"id": "a"}]"#, 0),
    ])
  func `is read of what a statement has written, without what names no row`(text: String, count: Int) {
    let ids = EntityID.texts(Array(text.utf8))
    let known = ["f6e42b2296070a56ca5f9d3405d3ab57", "7824424e1942612af6a9d21a573b03f0"]
    #expect(ids == Array(known.prefix(count)))
  }

  private static let compiled = Result {
    try PlainProject(
      """
      query Q @auth(level: PUBLIC) {
        movies { id title reviews_on_movie { who: author movieId stars } }
        one: movie(id: "00000000000000000000000000000000") { key: id title }
        other: movies { title }
        hidden: movies { id title reviews_on_movie @redact { author movieId } }
        secret: movies { id @redact title }
        renamed: movies { id name: title }
      }
      mutation M @auth(level: PUBLIC) {
        movie_insert(data: {title: "a"})
        movie_insertMany(data: [{title: "a"}])
        movie_deleteMany(all: true)
      }
      """)
  }

  private func project() throws -> PlainProject { try Self.compiled.get() }

  private func shown(_ value: JSONValue, _ plan: FieldPlan, limit: Int = 10_000) -> [JSONValue] {
    EntityNote.of(value, plan, limit: limit).map(\.json)
  }

  private let a = JSONValue.string("f6e42b2296070a56ca5f9d3405d3ab57")
  private let review = JSONValue.string("7824424e1942612af6a9d21a573b03f0")

  @Test func `is told of each object of a list and of those inside, empty where a part of the key is absent`() throws {
    let plan = try project().plan("Q", "movies")
    let rows: JSONValue = [
      ["id": "a", "title": "t", "reviews_on_movie": [["who": "ann", "movieId": "b", "stars": 1], ["who": "ann"]]],
      ["id": .null, "title": "t", "reviews_on_movie": []], .null,
    ]
    #expect(
      shown(rows, plan) == [
        ["path": ["movies"], "entityIds": [a, "", ""]],
        ["path": ["movies", 0, "reviews_on_movie"], "entityIds": [review, ""]],
        ["path": ["movies", 1, "reviews_on_movie"], "entityIds": []],
      ])
    #expect(shown([], plan) == [["path": ["movies"], "entityIds": []]])
    #expect(shown(.null, plan) == [] && shown("text", plan) == [])
  }

  @Test func `is told of one object by itself`() throws {
    let plan = try project().plan("Q", "one")
    #expect(shown(["key": "a", "title": "t"], plan) == [["path": ["one"], "entityId": a]])
    #expect(shown(["id": "a", "title": "t"], plan) == [])
    let none = EntityNote(path: [.name("x"), .index(2)], ids: [], isList: false)
    #expect(none.json == ["path": ["x", 2], "entityId": ""])
  }

  @Test func `is told of nothing that is redacted, or whose columns have other names`() throws {
    let project = try project()
    let rows: JSONValue = [["id": "a", "title": "t", "reviews_on_movie": [["author": "ann", "movieId": "b"]]]]
    #expect(shown(rows, try project.plan("Q", "hidden")) == [["path": ["hidden"], "entityIds": [a]]])
    for name in ["other", "secret", "renamed"] {
      #expect(try !project.plan("Q", name).hasEntities, "\(name)")
      #expect(shown(rows, try project.plan("Q", name)) == [], "\(name)")
    }
  }

  @Test func `is that of the key which a mutation gives`() throws {
    let project = try project()
    #expect(
      shown(["id": "a"], try project.plan("M", "movie_insert")) == [["path": ["movie_insert"], "entityId": a]])
    let many = try project.plan("M", "movie_insertMany")
    #expect(shown([["id": "a"], .null], many) == [["path": ["movie_insertMany"], "entityIds": [a, ""]]])
    #expect(shown(5, try project.plan("M", "movie_deleteMany")) == [])
    #expect(try !project.plan("M", "movie_deleteMany").hasEntities)
  }

  @Test func `is told of so many places and no more`() throws {
    let plan = try project().plan("Q", "movies")
    let row: JSONValue = ["id": "a", "reviews_on_movie": []]
    let rows = JSONValue.array(Array(repeating: row, count: 3))
    for (limit, count) in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 4)] {
      #expect(shown(rows, plan, limit: limit).count == count, "\(limit)")
    }
  }
}
