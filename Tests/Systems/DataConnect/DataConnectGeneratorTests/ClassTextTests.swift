import Testing

@testable import DataConnectGenerator

/// The text of the classes of operations, to the letter, where names are those that the class has itself.
@Suite(.timeLimit(.minutes(1)))
struct `The class of an operation` {
  private func text(_ operations: String, sdk: [String] = []) throws -> String {
    try Project.text("Operations", of: try Project.compile(operations, sdk: sdk))
  }

  /// A query whose variables are called as what the class has beside them.
  private static let clashing = """
    query find($self: String!, $genre: String, $_genre: String!, $optionalVars: Int, $variables: String!,
      $fetchPolicy: Int! ) @auth(level: USER) {
      movies(where: {_or: [
        {title: {eq: $self}}, {genre: {eq: $genre}}, {genre: {eq: $_genre}}, {releaseYear: {eq: $optionalVars}},
        {title: {eq: $variables}}, {releaseYear: {eq: $fetchPolicy}}
      ]}) { id }
    }
    """

  @Test(arguments: [
    "    /// The variable `$self`.\n    public var self_: String\n",
    "    /// The variable `$genre`.\n    @OptionalVariable public var genre: String?\n",
    // The wrapper of `genre` keeps what it holds under this name.
    "    /// The variable `$_genre`.\n    public var _genre_: String\n",
    "    @OptionalVariable public var optionalVars: Int?\n", "    public var variables: String\n",
    "    public var fetchPolicy: Int\n", "      self.self_ = self_\n      self._genre_ = _genre_\n",
    "      self.fetchPolicy = fetchPolicy\n      optionalVars2?(&self)\n    }\n",
    "      case self_ = \"self\"\n      case genre = \"genre\"\n      case _genre_ = \"_genre\"\n",
    "      try container.encode(self.self_, forKey: .self_)\n",
    "      if self.$genre.isSet { try container.encode(self.genre, forKey: .genre) }\n",
    "      try container.encode(self._genre_, forKey: ._genre_)\n",
    "      if self.$optionalVars.isSet { try container.encode(self.optionalVars, forKey: .optionalVars) }\n",
    "    return self.reference(variables2)\n", "    optionalVars2?(&variables2)\n",
    "    return try await self.reference(variables2).execute(fetchPolicy: fetchPolicy2)\n",
    "fetchPolicy fetchPolicy2: QueryFetchPolicy = .preferCache,",
    "_ optionalVars2: ((inout Variables) -> Void)? = nil",
    "_ optionalVars2: (@MainActor (inout Variables) -> Void)? = nil",
  ])
  func `has names of its own beside those of its variables`(part: String) throws {
    let text = try text(Self.clashing)
    #expect(text.contains(part), "\(part) in \(text)")
  }

  @Test func `gives what is required by its name, and what is not in a closure`() throws {
    let text = try text(Self.clashing)
    let given = "self_: self_, _genre_: _genre_, variables: variables, fetchPolicy: fetchPolicy"
    // Too long for one line.
    #expect(text.contains("    let variables2 = Self.Variables(\n      \(given), optionalVars2\n    )\n"))
    #expect(text.contains("    var variables2 = Self.Variables(\(given))\n"))
    #expect(!text.contains("self.genre = genre") && !text.contains("self.optionalVars = optionalVars"))
    #expect(!text.contains("if self.$self_.isSet") && !text.contains("if self.$variables.isSet"))
  }

  @Test func `without variables has no closure for them`() throws {
    let text = try text(
      """
      query all @auth(level: USER) { movies { id } }
      mutation none @auth(level: USER) { movie_deleteMany(all: true) }
      """)
    let query = try #require(text.split(separator: "/// The mutation `none`.").first.map(String.init))
    let mutation = String(text.dropFirst(query.count))
    for part in [query, mutation] {
      #expect(
        part.contains(
          "  public struct Variables: OperationVariable {\n    /// There are none.\n    public init() {}\n  }\n"))
      #expect(part.contains("  public func ref() -> Ref {\n    let variables = Self.Variables()\n"))
      for absent in ["optionalVars", "CodingKeys: String", "var variables ="] { #expect(!part.contains(absent)) }
    }
    #expect(
      query.contains(
        """
          public func execute(fetchPolicy: QueryFetchPolicy = .preferCache) async throws -> OperationResult<Data> {
            let variables = Self.Variables()
            return try await self.reference(variables).execute(fetchPolicy: fetchPolicy)
          }

        """))
    #expect(
      mutation.contains(
        """
          public func execute() async throws -> OperationResult<Data> {
            let variables = Self.Variables()
            return try await self.reference(variables).execute()
          }

        """))
  }

  @Test func `says by its variables which may be absent, those with a default among them`() throws {
    let text = try text(
      """
      query some($a: Int! = 1, $b: [String!], $c: [String!]!, $d: Int) @auth(level: USER) {
        movies(where: {_or: [
          {releaseYear: {eq: $a}}, {title: {in: $b}}, {title: {in: $c}}, {releaseYear: {eq: $d}}
        ]}) { id }
      }
      """)
    #expect(text.contains("    @OptionalVariable public var a: Int?\n"))
    #expect(text.contains("    @OptionalVariable public var b: [String]?\n"))
    #expect(text.contains("\n    public var c: [String]\n"))
    #expect(text.contains("    @OptionalVariable public var d: Int?\n"))
    #expect(text.contains("    public init(c: [String], _ optionalVars: ((inout Variables) -> Void)? = nil) {\n"))
  }

  @Test func `calls a label of Swift's words as the compiler wants it`() throws {
    let text = try text(
      """
      query words($inout: Int!, $class: Int!) @auth(level: USER) {
        movies(where: {_or: [{releaseYear: {eq: $inout}}, {releaseYear: {eq: $class}}]}) { id }
      }
      """)
    #expect(text.contains("    public init(`inout`: Int, `class`: Int) {\n"))
    #expect(text.contains("      self.`inout` = `inout`\n      self.`class` = `class`\n    }\n"))
    #expect(text.contains("    let variables = Self.Variables(`inout`: `inout`, class: `class`)\n"))
    #expect(text.contains("      case `inout` = \"inout\"\n      case `class` = \"class\"\n"))
  }

  @Test func `is observed as the configuration says, where it is a query`() throws {
    let operations = """
      query all @auth(level: USER) { movies { id } }
      mutation none @auth(level: USER) { movie_deleteMany(all: true) }
      """
    let call = "(name: Self.OperationName, variables: variables, resultsDataType: Data.self)\n"
    for (publisher, reference, function) in [
      ("observableMacro", "QueryRefObservation", "query"),
      ("observableObject", "QueryRefObservableObject", "observableQuery"),
    ] {
      let text = try text(operations, sdk: ["observablePublisher: \(publisher)"])
      #expect(text.contains("  public typealias Ref = \(reference)<Data, Variables>\n"))
      #expect(text.contains("    dataConnect.\(function)\(call)"))
      #expect(text.contains("  public typealias Ref = MutationRef<Data, Variables>\n"))
      #expect(text.contains("    dataConnect.mutation\(call)"))
      #expect(text.split(separator: "typealias Ref = ").count == 3)
    }
  }

  @Test func `says of a retired one that it is`() throws {
    let text = try text(
      """
      query old @auth(level: USER) @retired(reason: "Use new.") { movies { id } }
      query new @auth(level: USER) { movies { id } }
      """)
    #expect(text.contains("/// The query `old`. It is retired.\npublic final class OldQuery: Sendable {\n"))
    #expect(text.contains("/// The query `new`.\npublic final class NewQuery: Sendable {\n"))
    #expect(text.contains("  /// The query with variables, to be executed and observed.\n"))
    #expect(text.contains("  public static let OperationName = \"old\"\n"))
  }
}
