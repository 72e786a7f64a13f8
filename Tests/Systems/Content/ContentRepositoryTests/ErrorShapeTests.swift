import GraphQL
import JSON
import Testing

@testable import ContentRepository

@Suite(.timeLimit(.minutes(1))) struct `An error in the form of AEM` {
  private static func message(
    _ error: GraphQLError, _ stage: ErrorShape.Stage, _ types: [String: String] = [:]
  ) -> String? {
    ErrorShape.json(error, stage, types: types)["message"]?.stringValue
  }

  @Test func `has its place, its path and its sort`() {
    let error = GraphQLError(
      "Why.", fix: "Do.", locations: [place(1, 2), place(2, 3)], path: [.name("a"), .index(1), .name("b"), .index(0)])
    #expect(
      ErrorShape.json(error, .execution) == [
        "message": "Exception while fetching data (/a[1]/b[0]) : Why. Do.",
        "locations": [["line": 1, "column": 2], ["line": 2, "column": 3]], "path": ["a", 1, "b", 0],
        "extensions": ["classification": "DataFetchingException"],
      ])
    #expect(
      ErrorShape.json(GraphQLError("Why.", code: "Limits", path: []), .execution) == [
        "message": "Exception while fetching data () : Why.", "locations": [],
        "extensions": ["classification": "ExecutionAborted"],
      ])
    #expect(
      ErrorShape.json(GraphQLError("Why.", code: "Limits"), .checking)["extensions"]
        == ["classification": "ValidationError"])
    #expect(ErrorShape.json(GraphQLError("Why."), .variables)["extensions"] == ["classification": "ValidationError"])
    #expect(ErrorShape.json(GraphQLError("Why."), .reading)["extensions"] == ["classification": "InvalidSyntax"])
  }

  private func place(_ line: Int, _ column: Int) -> GraphQL.SourceLocation {
    GraphQL.SourceLocation(file: "query", line: line, column: column)
  }

  @Test func `says where a text cannot be read`() {
    #expect(
      Self.message(GraphQLError("Why.", fix: "Do.", locations: [place(2, 3), place(9, 9)]), .reading)
        == "Invalid syntax at line 2 column 3: Why. Do.")
    #expect(Self.message(GraphQLError("Why."), .reading) == "Invalid syntax: Why.")
  }

  @Test(arguments: [
    ("FieldsOnCorrectType", "FieldUndefined"), ("KnownArgumentNames", "UnknownArgument"),
    ("ValuesOfCorrectType", "WrongType"), ("NoUndefinedVariables", "UndefinedVariable"),
    ("NoUnusedVariables", "UnusedVariable"), ("KnownTypeNames", "UnknownType"),
    ("ScalarLeafs", "SubselectionRequired"), ("ProvidedRequiredArguments", "MissingFieldArgument"),
    ("VariablesInAllowedPosition", "VariableTypeMismatch"), ("KnownFragmentNames", "UndefinedFragment"),
    ("NoUnusedFragments", "UnusedFragment"), ("PossibleFragmentSpreads", "InvalidFragmentType"),
    ("NoFragmentCycles", "FragmentCycle"), ("OverlappingFieldsCanBeMerged", "FieldsConflict"),
    ("KnownDirectives", "UnknownDirective"), ("UniqueDirectivesPerLocation", "DuplicateDirectiveName"),
    ("UniqueOperationNames", "DuplicateOperationName"), ("UniqueArgumentNames", "DuplicateArgumentNames"),
    ("UniqueVariableNames", "DuplicateVariableName"), ("UniqueFragmentNames", "DuplicateFragmentName"),
    ("LoneAnonymousOperation", "LoneAnonymousOperationViolation"),
    ("ExecutableDefinitions", "NonExecutableDefinition"),
    ("FragmentsOnCompositeTypes", "InlineFragmentTypeConditionInvalid"),
    ("VariablesAreInputTypes", "NonInputTypeOnVariable"), ("UniqueInputFieldNames", "DuplicateInputField"),
    ("SingleFieldSubscriptions", "SubscriptionMultipleRootFields"), ("Another", "Another"), ("Limits", "Limits"),
  ])
  func `has AEM's name of a rule`(code: String, name: String) {
    #expect(
      Self.message(GraphQLError("Why.", fix: "Do.", code: code), .checking) == "Validation error (\(name)) : Why. Do.")
  }

  @Test(
    arguments: [
      ("$v: Why.", nil, "Int", "Variable 'v' has an invalid value: Why."),
      ("$v: Why.", "Do.", "Int!", "Variable 'v' has an invalid value: Why. Do."),
      ("$v:Why: so.", nil, "Int", "Variable 'v' has an invalid value: Why: so."),
      ("$v: null is none.", "Do.", "Int!", "Variable 'v' has coerced Null value for NonNull type 'Int!'"),
      (
        "$v: The variable is missing.", "Do.", "[Int]!", "Variable 'v' has coerced Null value for NonNull type '[Int]!'"
      ),
      ("$v: null is none.", nil, "Int", "Variable 'v' has an invalid value: null is none."),
      ("$v: nullable.", nil, "Int!", "Variable 'v' has an invalid value: nullable."),
      ("$v: It is missing. Not?", nil, "Int!", "Variable 'v' has an invalid value: It is missing. Not?"),
      ("$v.a: null is none.", nil, "F!", "Variable 'v.a' has an invalid value: null is none."),
      ("$v[0]: null is none.", nil, "[Int!]!", "Variable 'v[0]' has an invalid value: null is none."),
      ("$w: null is none.", nil, "Int!", "Variable 'w' has an invalid value: null is none."),
      ("Why: so.", "Do.", "Int!", "Why: so. Do."), ("$v why.", "Do.", "Int!", "$v why. Do."),
    ] as [(String, String?, String, String)])
  func `says what is wrong with a variable`(message: String, fix: String?, type: String, words: String) {
    #expect(Self.message(GraphQLError(message, fix: fix), .variables, ["v": type]) == words)
  }

  // MARK: Problems of a folder

  @Test func `of a folder has its place as far as that is known`() {
    func text(_ file: String, _ line: Int?, _ column: Int?) -> String {
      ContentProblem(file: file, line: line, column: column, message: "Why.", recovery: "Do.").description
    }
    #expect(text("a", 1, 2) == "a:1:2: Why. Do." && text("a", 3, nil) == "a:3: Why. Do.")
    #expect(text("a", nil, nil) == "a: Why. Do." && text("", nil, nil) == "Why. Do.")
    let two = ContentProblems([
      ContentProblem(file: "a", message: "A.", recovery: "B."),
      ContentProblem(file: "b", message: "C.", recovery: "D."),
    ])
    #expect(two.description == "a: A. B.\nb: C. D.")
  }

  @Test func `of a folder comes in the order of files and places`() {
    var list = ContentProblemList(limit: 8)
    #expect(list.isEmpty)
    list.add("b", "1", "")
    list.add("a", SourcePlace(line: 2, column: 1), "2", "")
    list.add("a", SourcePlace(line: 1, column: 9), "3", "")
    list.add("a", SourcePlace(line: 1, column: 2), "4", "")
    list.add("a", "5", "")
    list.add("a", SourcePlace(line: 1, column: 2), "6", "")
    list.add("b", "7", "")
    #expect(!list.isEmpty && list.sorted.map(\.message) == ["5", "4", "6", "3", "2", "1", "7"])
    list.add("c", "8", "")
    list.add("a", "9", "")
    #expect(list.problems.map(\.message) == ["1", "2", "3", "4", "5", "6", "7", "8"])
  }

  @Test func `of a file has the line and the column of an offset`() throws {
    let file = try SourceFile(path: "a", stamp: "", bytes: Array("\n{\n\n \"é\": 1}\n".utf8))
    let places = [(0, 1, 1), (1, 2, 1), (2, 2, 2), (3, 3, 1), (4, 4, 1), (5, 4, 2), (8, 4, 5), (13, 4, 10), (14, 5, 1)]
    for (offset, line, column) in places {
      #expect(file.place(offset) == SourcePlace(line: line, column: column), "\(offset)")
    }
    let one = try SourceFile(path: "a", stamp: "", bytes: Array("{}".utf8))
    #expect(one.place(0) == SourcePlace(line: 1, column: 1) && one.place(1) == SourcePlace(line: 1, column: 2))
  }
}
