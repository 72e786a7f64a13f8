import HTTPClient
import JSON
import Testing

@testable import DataConnectEmulator

@Suite(.timeLimit(.minutes(1)))
struct `The directives of an operation` {
  private static let operations = """
    mutation Add($title: String!) @auth(level: PUBLIC) { movie_insert(data: {title: $title}) }
    query Titles @auth(level: PUBLIC) { movies(orderBy: {title: ASC}) { title } }
    query People @auth(level: PUBLIC) { people(orderBy: {name: ASC}) { name } }

    mutation Together($a: String!, $b: String!) @auth(level: PUBLIC) @transaction {
      person1: person_insert(data: {name: $a})
      person2: person_insert(data: {name: $b})
      person3: person_insert(data: {name: "last"})
    }
    mutation Alone($a: String!, $b: String!) @auth(level: PUBLIC) {
      person1: person_insert(data: {name: $a})
      person2: person_insert(data: {name: $b})
      person3: person_insert(data: {name: "last"})
    }
    mutation Long($title: String!) @auth(level: PUBLIC) { movie_insert(data: {title: $title}) }
    mutation Orphan($movie: UUID!) @auth(level: USER) { review_insert(data: {movieId: $movie, stars: 1}) }

    mutation AddNote($text: String!) @auth(level: USER) { note_insert(data: {text: $text}) }
    mutation Edit($id: UUID!, $text: String!) @auth(level: USER) @transaction {
      query @redact {
        note(id: $id) @check(expr: "this != null", message: "No such note") {
          author @check(expr: "this == auth.uid", message: "Not yours")
        }
      }
      note_update(id: $id, data: {text: $text})
    }
    mutation Versioned($id: UUID!, $version: Int!, $text: String!) @auth(level: USER) @transaction {
      note_updateMany(where: {id: {eq: $id}, version: {eq: $version}}, data: {text: $text, version_update: [{inc: 1}]})
        @check(expr: "this == 1", message: "CONFLICT")
    }
    mutation Halfway($text: String!) @auth(level: USER) {
      first: note_insert(data: {text: $text})
      all: query { notes(where: {text: {eq: "nothing"}}) @check(message: "Nothing there") { text } }
      second: note_insert(data: {text: $text})
    }
    query Mine @auth(level: USER) {
      notes(where: {author: {eq_expr: "auth.uid"}}, orderBy: {text: ASC}) { text author @redact version }
    }
    query Guarded($id: UUID!) @auth(level: USER) {
      titles: movies { title }
      note(id: $id) { text author @check(expr: "this == auth.uid", message: "Not yours") @redact }
    }
    query Optional($id: UUID!) @auth(level: USER) {
      note(id: $id) { text author @check(expr: "this == auth.uid", message: "Not yours", optional: true) }
    }
    query Some($with: Boolean!) @auth(level: PUBLIC) {
      movies @include(if: $with) { title }
      people @skip(if: $with) { name }
    }
    query Either($one: Boolean!, $other: Boolean!) @auth(level: PUBLIC) {
      people @include(if: $one) { name }
      people @include(if: $other) { named: name }
    }
    mutation Steps($name: String!) @auth(level: USER) @transaction {
      note_insert(data: {text: $name})
      copy: note_insert(data: {text_expr: "response.note_insert.id + ' ' + vars.name"})
    }
    mutation Bounded($stars: Int!) @auth(level: PUBLIC)
      @check(expr: "vars.stars <= 5", message: "Too many stars") @check(expr: "this.person_insert != null") {
      person_insert(data: {name: "n"})
    }
    query Numbers($least: Int!) @auth(level: PUBLIC) {
      _select(sql: "SELECT $1::int + 1 AS more", params: [$least])
      _selectFirst(sql: "SELECT $1 AS who", params: [{_expr: "request.operationName"}])
    }
    query Writing @auth(level: PUBLIC) {
      _select(sql: "SELECT name FROM person FOR UPDATE", params: [])
      deletion: _select(sql: "WITH gone AS (DELETE FROM person RETURNING name) SELECT name FROM gone", params: [])
      people { name }
    }
    mutation Native($name: String!) @auth(level: PUBLIC) {
      _execute(sql: "UPDATE person SET name = $1", params: [$name])
      _executeReturning(sql: "DELETE FROM person RETURNING name", params: [])
    }
    mutation Rows($data: [Person_Data!]! @allow(fields: "name", maxCount: 2)) @auth(level: PUBLIC) {
      person_insertMany(data: $data)
    }
    """

  @Test func `in a transaction undo what came before a failure, and do nothing after it`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      _ = try await emulator.mutate("Together", ["a": "a", "b": "b"]).data()
      let answer = try await emulator.mutate("Together", ["a": "c", "b": "a"])
      #expect(answer["data"] == ["person1": .null, "person2": .null, "person3": .null])
      #expect(answer.errorPaths == [["person1"], ["person2"], ["person3"]])
      #expect(answer.errorCodes == ["ABORTED", "ALREADY_EXISTS", "ABORTED"])
      #expect(answer.errorMessages.first?.hasSuffix("(rolled back)") == true)
      #expect(answer.errorMessages.last?.hasSuffix("(aborted)") == true)
      #expect(
        try await emulator.query("People").data()["people"] == [["name": "a"], ["name": "b"], ["name": "last"]])
    }
  }

  @Test func `without a transaction leave each field to itself`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let answer = try await emulator.mutate("Alone", ["a": "a", "b": "a"])
      #expect(answer.errorPaths == [["person2"]])
      #expect(answer.errorCodes == ["ALREADY_EXISTS"])
      #expect(answer["data"]?["person1"]?["id"] != nil && answer["data"]?["person2"] == .null)
      #expect(try await emulator.query("People").data()["people"] == [["name": "a"], ["name": "last"]])
    }
  }

  @Test func `give violations of the database a code and no value of a row`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let long = try await emulator.mutate("Long", ["title": .string(String(repeating: "secret", count: 20))])
      #expect(long.errorPaths == [["movie_insert"]] && long.errorCodes == ["INVALID_ARGUMENT"])
      let orphan = try await emulator.mutate("Orphan", ["movie": "0123456789abcdef0123456789abcdef"], as: "u")
      #expect(orphan.errorPaths == [["review_insert"]] && orphan.errorCodes == ["FAILED_PRECONDITION"])
      #expect(!"\(long)\(orphan)".contains("secret") && !"\(orphan)".contains("0123"))
    }
  }

  @Test func `check what is there before it is changed`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let made = try await emulator.mutate("AddNote", ["text": "mine"], as: "ann").data()
      let id = try #require(made["note_insert"]?["id"])
      let refused = try await emulator.mutate("Edit", ["id": id, "text": "stolen"], as: "bob")
      #expect(refused["data"] == ["note_update": .null])
      #expect(refused.errorMessages.first == "Not yours")
      #expect(refused.errorPaths == [["query", "note", "author"], ["note_update"]])
      let missing = try await emulator.mutate(
        "Edit", ["id": "0123456789abcdef0123456789abcdef", "text": "x"], as: "ann")
      #expect(missing.errorMessages.first == "No such note")
      let edited = try await emulator.mutate("Edit", ["id": id, "text": "better"], as: "ann")
      #expect(edited.data() == ["note_update": ["id": id]])
      #expect(
        try await emulator.query("Mine", as: "ann").data() == ["notes": [["text": "better", "version": 1]]])
      #expect(try await emulator.query("Mine", as: "bob").data() == ["notes": []])
    }
  }

  @Test func `refuse a change that somebody else was quicker with`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let id = try #require(
        try await emulator.mutate("AddNote", ["text": "1"], as: "u").data()["note_insert"]?["id"])
      let change: JSONValue = ["id": id, "version": 1, "text": "2"]
      #expect(try await emulator.mutate("Versioned", change, as: "u").data() == ["note_updateMany": 1])
      let second = try await emulator.mutate("Versioned", change, as: "u")
      #expect(second["data"] == ["note_updateMany": .null])
      #expect(second.errorMessages == ["CONFLICT"])
    }
  }

  @Test func `end an operation whose check fails, and keep what was done before without a transaction`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let answer = try await emulator.mutate("Halfway", ["text": "t"], as: "u")
      #expect(answer["data"]?["first"]?["id"] != nil)
      #expect(answer["data"]?["all"] == .null && answer["data"]?["second"] == .null)
      #expect(answer.errorPaths == [["all", "notes"], ["second"]])
      #expect(try await emulator.query("Mine", as: "u").data()["notes"]?.arrayValue?.count == 1)
    }
  }

  @Test func `keep the whole result of a query from somebody who fails a check`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      _ = try await emulator.mutate("Add", ["title": "T"]).data()
      let id = try #require(
        try await emulator.mutate("AddNote", ["text": "1"], as: "ann").data()["note_insert"]?["id"])
      #expect(
        try await emulator.query("Guarded", ["id": id], as: "ann").data()
          == ["titles": [["title": "T"]], "note": ["text": "1"]])
      let refused = try await emulator.query("Guarded", ["id": id], as: "bob")
      #expect(refused["data"] == ["titles": .null, "note": .null])
      #expect(refused.errorPaths.contains(["note", "author"]))
      let absent: JSONValue = ["id": "0123456789abcdef0123456789abcdef"]
      #expect(try await emulator.query("Guarded", absent, as: "ann").errorMessages.contains("Not yours"))
      #expect(try await emulator.query("Optional", absent, as: "ann").data() == ["note": .null])
    }
  }

  @Test func `leave fields out, and let later steps know of earlier ones`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      #expect(try await emulator.query("Some", ["with": true]).data() == ["movies": []])
      #expect(try await emulator.query("Some", ["with": false]).data() == ["people": []])
      let steps = try await emulator.mutate("Steps", ["name": "n"], as: "u").data()
      let id = try #require(steps["note_insert"]?["id"]?.stringValue)
      let mine = try await emulator.query("Mine", as: "u").data()["notes"]?.arrayValue
      #expect(mine?.contains { $0["text"] == .string("\(id) n") } == true)
    }
  }

  @Test func `leave a field where one of two places has it, with what that place selects`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      _ = try await emulator.mutate("Rows", ["data": [["name": "a"]]]).data()
      for (one, other, row) in [
        (true, false, ["name": "a"]), (false, true, ["named": "a"]), (true, true, ["name": "a", "named": "a"]),
      ] as [(Bool, Bool, JSONValue)] {
        let answer = try await emulator.query("Either", ["one": .bool(one), "other": .bool(other)])
        #expect(answer.data() == ["people": [row]])
      }
      #expect(try await emulator.query("Either", ["one": false, "other": false]).data() == [:])
    }
  }

  @Test func `bound what comes through a variable of rows`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let fine = try await emulator.mutate("Rows", ["data": [["name": "a"], ["name": "b"]]])
      #expect(fine.data()["person_insertMany"]?.arrayValue?.count == 2)
      let bad: [JSONValue] = [
        [["name": "c"], ["name": "d"], ["name": "e"]],
        [["name": "c", "id": "0123456789abcdef0123456789abcdef"]],
        [["name_expr": "auth.uid"]],
      ]
      for data in bad {
        #expect(try await emulator.call("executeMutation", "Rows", ["data": data]).status == 400)
      }
      #expect(try await emulator.query("People").data()["people"]?.arrayValue?.count == 2)
    }
  }

  @Test func `of the operation are looked at before anything is done, where that is possible`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let refused = try await emulator.mutate("Bounded", ["stars": 6])
      #expect(refused["data"] == ["person_insert": .null])
      #expect(refused.errorMessages.first == "Too many stars")
      #expect(try await emulator.query("People").data() == ["people": []])
      #expect(try await emulator.mutate("Bounded", ["stars": 5]).data()["person_insert"]?["id"] != nil)
    }
  }

  @Test func `let developers write SQL, which writes nothing in a query`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      #expect(
        try await emulator.query("Numbers", ["least": 1]).data()
          == ["_select": [["more": 2]], "_selectFirst": ["who": "Numbers"]])
      _ = try await emulator.mutate("Alone", ["a": "a", "b": "b"]).data()
      let refused = try await emulator.query("Writing")
      #expect(refused.errorPaths == [["_select"], ["deletion"]])
      #expect(refused.errorCodes == ["PERMISSION_DENIED", "INVALID_ARGUMENT"])
      #expect(refused["data"]?["people"]?.arrayValue?.count == 3)
      let native = try await emulator.mutate("Native", ["name": "x"])
      #expect(native.errorPaths == [["_execute"]] && native.errorCodes == ["ALREADY_EXISTS"])
      #expect(native["data"]?["_executeReturning"]?.arrayValue?.count == 3)
    }
  }
}
