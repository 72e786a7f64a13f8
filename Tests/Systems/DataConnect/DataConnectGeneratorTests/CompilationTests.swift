import DataConnectCompiler
import DataConnectGenerator
import Testing

@Suite(.timeLimit(.minutes(5)), .enabled("the module is not built", { SwiftCheck.isBuilt }))
struct `Generated code` {
  @Test func `compiles with the spellings of the tutorial`() throws {
    let errors = try SwiftCheck.errors(
      try Project.compile(Project.listMovies),
      use: """
        import DataConnect

        @MainActor func create() async throws -> MovieKey {
          DataConnect.moviesConnector.useEmulator()
          DataConnect.moviesConnector.useEmulator(host: "localhost", port: 1)
          let result = try await DataConnect.moviesConnector.createMovieMutation.execute(
            title: "a", genre: "b", imageUrl: "c") { $0.releaseYear = 1999 }
          print(result.data.movie_insert.id)
          return result.data.movie_insert
        }
        @MainActor func list() async throws {
          let queryRef = DataConnect.moviesConnector.listMoviesQuery.ref { $0.genre = "drama" }
          let result = try await queryRef.execute()
          if let data = result.data { for movie in data.movies { print(movie.id, movie.title, movie.genre ?? "") } }
          let movies: [ListMoviesQuery.Data.Movie]? = queryRef.data?.movies
          print(movies ?? [], queryRef.lastError?.message ?? "", queryRef.isLoading, queryRef.source == .cache)
          _ = try await DataConnect.moviesConnector.listMovies.execute()
          _ = try await DataConnect.moviesConnector.listMoviesQuery.execute(fetchPolicy: .serverOnly) { $0.genre = nil }
          let kept: ListMoviesQuery.Ref = queryRef
          for await result in kept.subscribe() { print(result) }
        }
        let name = ListMoviesQuery.OperationName
        let variables = CreateMovieMutation.Variables(title: "a", genre: "b", imageUrl: "c")
        let key = MovieKey(id: .init())
        """)
    #expect(errors == [])
  }

  @Test func `compiles with another publisher, a cache and another name`() throws {
    let generator = try Project.compile(
      Project.listMovies, id: "friendly-flix",
      sdk: ["observablePublisher: observableObject", "clientCache: {maxAge: 2s, storage: memory}"])
    let errors = try SwiftCheck.errors(
      generator,
      use: """
        import DataConnect
        func observe() {
          let ref = DataConnect.friendlyFlixConnector.listMoviesQuery.ref()
          let stop = ref.objectWillChange { print("soon") }
          stop()
        }
        """)
    #expect(errors == [])
  }

  @Test func `compiles with every kind of value`() throws {
    let generator = try Project.compile(Example.kinds.operations, schema: Example.kinds.schema)
    let errors = try SwiftCheck.errors(
      generator,
      use: """
        import DataConnect
        func name(_ mood: Mood) -> String {
          switch mood {
          case .DULL, .BRIGHT, .default, .self_, .init_, .rawValue_, .allCases_: mood.rawValue
          case ._UNKNOWN(let text): text
          }
        }
        @MainActor func ask() async throws {
          let day = try LocalDate(localDateString: "2026-01-31")
          let result = try await DataConnect.moviesConnector.everything.execute(
            key: ThingKey(mood: ._UNKNOWN("NEW"), number: 1), date: day, self_: "a", dataConnect: "b"
          ) { $0.moods = [.DULL, ._UNKNOWN("x")] }
          let thing = result.data?.thing
          print(thing?.default ?? "", thing?.in ?? 0, thing?.thingKey as Any, thing?.id as Any, thing?.self_ ?? "")
        }
        """)
    #expect(errors == [])
  }

  @Test func `compiles with the words of Swift`() throws {
    let words = [
      "actor", "any", "as", "async", "await", "case", "class", "consume", "copy", "default", "each", "extension",
      "func", "get", "in", "init", "inout", "is", "let", "nil", "open", "operator", "private", "protocol", "repeat",
      "return", "self", "Self", "set", "some", "static", "super", "switch", "then", "throws", "true", "try", "Type",
      "typealias", "unsafe", "var", "weak", "where", "yield",
    ].filter { !["true", "nil", "Self"].contains($0) }
    let generator = try Project.compile(
      """
      query words(\(words.map { "$\($0): String!" }.joined(separator: ", "))) @auth(level: PUBLIC) {
        words(where: {_or: [\(words.map { "{\($0): {eq: $\($0)}}" }.joined(separator: ", "))]}) {
          \(words.joined(separator: " "))
        }
      }
      query optionalWords(\(words.map { "$\($0): String" }.joined(separator: ", "))) @auth(level: PUBLIC) {
        words(where: {_or: [\(words.map { "{\($0): {eq: $\($0)}}" }.joined(separator: ", "))]}) { self init }
      }
      mutation look($id: String!) @auth(level: USER) {
        query { word(key: {self: $id, init: $id}) { self } }
        word_delete(key: {self: $id, init: $id})
      }
      """,
      schema: """
        enum Words { \(words.joined(separator: " ")) }
        type Word @table(key: ["self", "init"]) { \(words.map { "\($0): String!" }.joined(separator: " ")) }
        """)
    let use =
      "import DataConnect\nlet key = WordKey(self_: \"a\", init: \"b\")\nlet part = LookMutation.Data.Query.self\n"
    let errors = try SwiftCheck.errors(generator, use: use)
    #expect(errors == [])
  }

  @Test func `compiles with long names`() throws {
    let errors = try SwiftCheck.errors(try Project.compile(Example.long.operations, schema: Example.long.schema))
    #expect(errors == [])
  }

  @Test func `is checked at all`() throws {
    let generator = try Project.compile(Project.listMovies)
    let errors = try SwiftCheck.errors(
      generator,
      use: """
        import DataConnect
        func wrong() { DataConnect.moviesConnector.listMoviesQuery.ref(genre: 1) }
        @MainActor func ignored() async throws {
          let unused = try await DataConnect.moviesConnector.listMoviesQuery.execute()
        }
        """)
    #expect(errors.contains { $0.contains("Use.swift:2:") } && errors.contains { $0.contains("Use.swift:4:") })
  }

  @Test func `compiles for a connector without operations`() throws {
    let errors = try SwiftCheck.errors(try Project.compile("# later"))
    #expect(errors == [])
  }

  @Test func `compiles where names clash`() throws {
    let schema = """
      enum MovieKey { A }
      enum Optional { A }
      type Movie @table { title: String! data: Data movie: Movie }
      type Data @table { movie: Movie! @unique string: String }
      type String2 @table { a: Int }
      type Coding @table { a: String }
      """
    let generator = try Project.compile(
      """
      query list($a: String, $_a: String!) @auth(level: PUBLIC) {
        named: movies(where: {_or: [{title: {eq: $a}}, {title: {eq: $_a}}]}) { id __typename }
        Movie: movies { id title }
        movies { id movieKey: title Movie: movie { id } data { id string movie { id } } }
        data(id: "00000000000000000000000000000000") { movie { id data_on_movie { id } } }
        codings { id Coding: a }
      }
      query listQuery @auth(level: PUBLIC) { strings: string2s { id } }
      """, schema: schema)
    let errors = try SwiftCheck.errors(generator)
    #expect(errors == [])
  }

  @Test func `compiles where a type is selected again and again`() throws {
    let generator = try Project.compile(Repetition.operations, schema: Repetition.schema)
    let errors = try SwiftCheck.errors(generator)
    #expect(errors == [])
  }

  @Test func `compiles where a type refers to itself, at any depth and through others`() throws {
    let generator = try Project.compile(
      """
      query tree @auth(level: PUBLIC) {
        categories {
          id name
          parent { id parent { id name parent { id parent { name } } } }
          categories_on_parent { id parent { id } }
        }
      }
      query circle @auth(level: PUBLIC) {
        authors { id best { id author { id best { id author { id } } } } }
        books { ...Book author { ...Author best { ...Book } } }
      }
      fragment Author on Author { id best { id } }
      fragment Book on Book { id author { id } }
      """,
      schema: """
        type Category @table { name: String! parent: Category }
        type Author @table { best: Book }
        type Book @table { author: Author! }
        """)
    let errors = try SwiftCheck.errors(
      generator,
      use: """
        import DataConnect
        func name(_ tree: TreeQuery.Data) -> String? {
          let category: TreeQuery.Data.Category? = tree.categories.first
          let parent: TreeQuery.Data.Category.Category? = category?.parent
          return parent?.parent?.name ?? (category == nil ? "" : nil)
        }
        """)
    #expect(errors == [])
  }
}
