import Testing

@testable import DataConnectCompiler
@testable import GraphQL

@Suite(.timeLimit(.minutes(1)))
struct `A list of problems` {
  private static let sources = [GraphQLSource("é a\nb", name: "b.gql"), GraphQLSource("a", name: "a.gql")]

  private func position(_ source: UInt32, _ offset: UInt32) -> SourcePosition {
    SourcePosition(source: source, offset: offset)
  }

  @Test func `is in the order of its files and of the places in them`() {
    var list = ProblemList(Self.sources)
    list.add("second file", code: "T", at: position(1, 0))
    list.add("second line", code: "T", at: position(0, 5))
    list.warn("third column", code: "T", at: position(0, 3))
    list.add("third column again", code: "T", at: position(0, 3))
    list.add("first", code: "T", at: position(0, 0))
    list.add("nowhere", code: "T", at: .none)
    list.add(
      CompilerProblem(.error, "other file", code: "T", at: SourceLocation(file: "0.gql", line: 1, column: 1)))
    #expect(
      list.sorted.map(\.description) == [
        "error: nowhere", "b.gql:1:1: error: first", "b.gql:1:3: warning: third column",
        "b.gql:1:3: error: third column again", "b.gql:2:1: error: second line", "a.gql:1:1: error: second file",
        "0.gql:1:1: error: other file",
      ])
    #expect(list.problems.first?.message == "second file")
  }

  @Test func `has each problem once`() {
    var list = ProblemList(Self.sources)
    for _ in 1...2 {
      list.add("a", fix: "b", code: "T", at: position(0, 0))
      list.add("a", fix: "c", code: "T", at: position(0, 0))
      list.warn("a", fix: "b", code: "T", at: position(0, 0))
      list.add("a", fix: "b", code: "T", at: position(1, 0))
    }
    #expect(list.problems.count == 4)
  }

  @Test func `knows errors from warnings`() {
    var list = ProblemList()
    #expect(!list.hasErrors)
    list.warn("a", code: "T", at: .none)
    #expect(!list.hasErrors)
    list.add("a", code: "T", at: .none)
    #expect(list.hasErrors)
  }

  @Test func `ends at its limit`() {
    var list = ProblemList(limit: 3)
    for number in 1...5 { list.add("\(number)", code: "T", at: .none) }
    #expect(list.problems.map(\.message) == ["1", "2", "3"])
    list.add(CompilerProblem(.error, "6", code: "T", at: nil))
    list.add([GraphQLError("7")])
    #expect(list.problems.count == 3)
    var usual = ProblemList()
    for number in 1...201 { usual.warn("\(number)", code: "T", at: .none) }
    #expect(usual.problems.count == 200)
    var other = ProblemList(limit: 3)
    for number in 1...5 { other.add(CompilerProblem(.warning, "\(number)", code: "T", at: nil)) }
    #expect(other.problems.map(\.message) == ["1", "2", "3"])
  }

  @Test func `takes errors of GraphQL with their first places`() {
    let places = [SourceLocation(file: "b", line: 2, column: 3), SourceLocation(file: "a", line: 1, column: 1)]
    var list = ProblemList()
    list.add([GraphQLError("m", fix: "f", code: "c", locations: places), GraphQLError("n", code: "d")])
    #expect(
      list.problems == [
        CompilerProblem(.error, "m", fix: "f", code: "c", at: places[0]),
        CompilerProblem(.error, "n", fix: nil, code: "d", at: nil),
      ])
    #expect(list.problems[0].asWarning == CompilerProblem(.warning, "m", fix: "f", code: "c", at: places[0]))
    #expect(list.problems[0].asWarning.description == "b:2:3: warning: m f")
  }

  @Test func `of a text that cannot be read says nothing of what follows`() {
    let result = SchemaCompiler.compile([
      GraphQLSource("type A @table { x: }", name: "a.gql"), GraphQLSource("type B { x: Nothing }", name: "b.gql"),
    ])
    #expect(result.schema == nil)
    #expect(result.problems.map { $0.location?.file } == ["a.gql"])
  }

  @Test func `names the developer's place first, not that of the prelude`() {
    let result = Fixture.compile("type A @table { x: Int } enum OrderDirection { UP }")
    #expect(result.schema == nil)
    let lines = result.problems.map(\.description)
    #expect(
      lines.contains { $0.hasPrefix("schema.gql:1:31: error: There is more than one type \"OrderDirection\".") })
    #expect(!lines.contains { $0.hasPrefix("prelude.gql") })
  }
}
