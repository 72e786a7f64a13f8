import DataConnectCompiler
import GraphQL
import JSON
import Testing

@testable import DataConnectEmulator

/// What `@check` and `@redact` make of a value, at each place where it may be absent; without a database.
@Suite(.timeLimit(.minutes(1)))
struct `The checks of a field` {
  private static let operations = """
    query Q @auth(level: PUBLIC) {
      movies @check(expr: "size(this) < 4", message: "many") {
        title @check(expr: "this != 'bad'", message: "bad")
        genre @check(expr: "this == 'DRAMA'", message: "genre", optional: true)
        reviews_on_movie { stars @check(expr: "this > 1", message: "few") text }
      }
      free: movies { title }
      optional: movies @check(expr: "this != null", message: "none", optional: true) { title }
      usual: movies @check { title }
      two: movies @check(expr: "size(this) > 0", message: "first") @check(expr: "size(this) > 1", message: "second") {
        title
      }
    }
    query R @auth(level: PUBLIC) {
      movies { title @redact genre reviews_on_movie { stars @redact text } hidden: reviews_on_movie @redact { text } }
      whole: movies @redact { title }
      plain: movies { title }
    }
    """

  private static let project = Result { try PlainProject(operations) }

  private func failure(_ field: String, _ value: JSONValue?) throws -> OperationError? {
    let project = try Self.project.get()
    return FieldChecks(scope: project.scope()).failure(of: value, try project.plan("Q", field), [.name(field)])
  }

  private static func row(_ title: JSONValue, _ more: JSONObject = [:]) -> JSONValue {
    var row: JSONObject = ["title": title, "reviews_on_movie": [["stars": 2, "text": "t"]]]
    for (name, value) in more { row[name] = value }
    return .object(row)
  }

  @Test(
    arguments: [
      ([row("a"), row("b", ["genre": "DRAMA"])], nil, []),
      ([row("a"), row("b"), row("c"), row("d")], "many", ["movies"]), (.null, "many", ["movies"]),
      ([], "bad", ["movies", "title"]), (nil, "many", ["movies"]),
      ([row("a"), row("bad")], "bad", ["movies", 1, "title"]),
      ([row("bad"), row("bad")], "bad", ["movies", 0, "title"]),
      ([row("a"), .null], "bad", ["movies", 1, "title"]),
      ([row("a", ["genre": .null])], "genre", ["movies", 0, "genre"]),
      ([row("a", ["genre": "COMEDY"])], "genre", ["movies", 0, "genre"]),
      ([row("a", ["reviews_on_movie": []])], "few", ["movies", 0, "reviews_on_movie", "stars"]),
      ([row("a", ["reviews_on_movie": .null])], "few", ["movies", 0, "reviews_on_movie", "stars"]),
      (
        [row("a", ["reviews_on_movie": [["stars": 2], ["stars": 1]]])], "few",
        ["movies", 0, "reviews_on_movie", 1, "stars"]
      ),
      ([row("bad", ["genre": "COMEDY", "reviews_on_movie": []])], "bad", ["movies", 0, "title"]),
    ] as [(JSONValue?, String?, [JSONValue])])
  func `fail at the first place where one does not hold, or is not reached`(
    value: JSONValue?, message: String?, path: [JSONValue]
  ) throws {
    let error = try failure("movies", value)
    #expect(error?.message == message)
    #expect(error?.path.map(\.json) ?? [] == path)
    #expect(error?.code == (message == nil ? nil : .permissionDenied))
    #expect(error?.isCheck == (message == nil ? nil : true))
  }

  @Test func `hold where there are none, and where an optional one is not reached`() throws {
    for value in [nil, .null, [], [["title": "a"]]] as [JSONValue?] {
      #expect(try failure("free", value) == nil)
    }
    #expect(try failure("optional", nil) == nil)
    #expect(try failure("optional", [])?.message == nil)
    #expect(try failure("optional", .null)?.message == "none")
  }

  @Test func `want by default that something is there`() throws {
    for value in [nil, .null, []] as [JSONValue?] {
      #expect(try failure("usual", value)?.message == "permission denied")
    }
    #expect(try failure("usual", [["title": "a"]]) == nil)
  }

  @Test func `are looked at in their order`() throws {
    #expect(try failure("two", [])?.message == "first")
    #expect(try failure("two", [["title": "a"]])?.message == "second")
    #expect(try failure("two", [["title": "a"], ["title": "b"]]) == nil)
  }

  @Test func `are known of a plan before any request`() throws {
    let project = try Self.project.get()
    let plans = try project.operation("Q").fields
    #expect(plans.map(\.hasChecks) == [true, false, true, true, true])
    #expect(plans.map(\.hasRequiredChecks) == [true, false, false, true, true])
    #expect(plans.map(\.hasRedactions) == [false, false, false, false, false])
    #expect(plans[0].fields.map(\.hasChecks) == [true, true, true])
    #expect(plans[0].fields.map(\.hasRequiredChecks) == [true, false, true])
    let redacted = try project.operation("R").fields
    #expect(redacted.map(\.hasRedactions) == [true, false, false])
    #expect(redacted.map(\.field.isRedacted) == [false, true, false])
    #expect(redacted[0].fields.map(\.hasRedactions) == [false, false, true, false])
    #expect(redacted.allSatisfy { !$0.hasChecks && !$0.hasRequiredChecks })
  }

  @Test func `leave out what is redacted, at every depth`() throws {
    let project = try Self.project.get()
    let movies = try project.plan("R", "movies")
    let rows: JSONValue = [
      [
        "title": "a", "genre": .null, "reviews_on_movie": [["stars": 1, "text": "t"], ["text": .null]],
        "hidden": [["text": "h"]],
      ], .null, ["title": "b", "genre": "DRAMA", "reviews_on_movie": .null],
    ]
    #expect(
      FieldChecks.redacted(rows, movies) == [
        ["genre": .null, "reviews_on_movie": [["text": "t"], ["text": .null]]], .null,
        ["genre": "DRAMA", "reviews_on_movie": .null],
      ])
    #expect(FieldChecks.redacted(["title": "a", "genre": "DRAMA"], movies) == ["genre": "DRAMA"])
    #expect(FieldChecks.redacted(.null, movies) == .null)
    #expect(FieldChecks.redacted(rows, try project.plan("R", "plain")) == rows)
  }
}

/// What is known of a field before it is asked for.
@Suite(.timeLimit(.minutes(1)))
struct `The plan of a field` {
  private static let operations = """
    query Q @auth(level: PUBLIC) {
      __typename
      movies { __typename id }
      one: movie(key: {id: "00000000000000000000000000000000"}) { title }
      _select(sql: "SELECT 1", params: [])
    }
    mutation M @auth(level: PUBLIC) {
      __typename
      query { __typename movies { title __typename } }
      movie_deleteMany(all: true)
      movie_insert(data: {title: "a"})
      _execute(sql: "SELECT 1", params: [])
    }
    query Named @auth(level: PUBLIC) {
      a: movies { id title } b: movies { key: id } c: movies { title: id } d: movies { id name: title }
      e: movies { id list: reviews_on_movie { name: author } } f: reviews { movieId who: author }
      g: reviews { movieId } h: people { id name }
    }
    """

  private static let project = Result { try PlainProject(operations) }

  @Test func `says who answers it`() throws {
    let project = try Self.project.get()
    let query = try project.operation("Q")
    #expect(query.fields.map(\.kind) == [.typeName, .query, .query, .query])
    #expect(query.fields.map { $0.statements == nil } == [true, false, false, false])
    #expect(query.fields.map(\.action?.table) == [nil, "Movie", "Movie", nil])
    #expect(query.fields.map(\.action?.kind) == [nil, .list, .lookup, nil])
    #expect(query.fields[1].fields.map(\.kind) == [.member, .member])
    #expect(query.fields[1].fields.allSatisfy { $0.statements == nil && $0.action == nil })
    #expect(!query.isMutation && query.name == "Q")
    let mutation = try project.operation("M")
    #expect(mutation.fields.map(\.kind) == [.typeName, .queries, .mutation, .mutation, .mutation])
    #expect(mutation.fields[1].fields.map(\.kind) == [.typeName, .query])
    #expect(mutation.fields[1].fields[1].fields.map(\.kind) == [.member, .member])
    #expect(mutation.fields.map { $0.statements == nil } == [true, true, false, false, false])
    #expect(mutation.fields.map(\.keyTable) == [nil, nil, nil, "Movie", nil])
    #expect(mutation.isMutation)
  }

  @Test func `says whether clients may keep its objects, and by which key`() throws {
    let fields = try Self.project.get().operation("Named").fields
    #expect(fields.map(\.name) == ["a", "b", "c", "d", "e", "f", "g", "h"])
    #expect(fields.map(\.isTold) == [true, true, false, false, true, true, true, true])
    #expect(fields.map { $0.entity != nil } == [true, true, false, false, true, true, false, true])
    #expect(fields[1].entity?.columns.map(\.name) == ["key"] && fields[1].entity?.columns.map(\.column) == ["id"])
    #expect(fields[5].entity?.columns.map(\.column) == ["author", "movieId"])
    #expect(fields[5].entity?.columns.map(\.name) == ["who", "movieId"])
    #expect(fields[5].entity?.table == "Review")
    #expect(fields.map(\.hasEntities) == [true, true, false, false, true, true, false, true])
    #expect(fields[4].fields.map(\.hasEntities) == [false, false])
  }

  @Test func `has all that is in it, itself first`() throws {
    let plan = try Self.project.get().plan("Named", "e")
    #expect(plan.all.map(\.name) == ["e", "id", "list", "name"])
  }
}
