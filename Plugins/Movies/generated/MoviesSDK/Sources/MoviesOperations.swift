// Generated from the connector "movies": changes here are lost.

import DataConnect

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// MARK: Common Enums

/// Which values come first.
public enum OrderDirection: String, Codable, CaseIterable, Sendable {
  /// `ASC`
  case ASC
  /// `DESC`
  case DESC
}

/// How the words of a search are read.
public enum SearchQueryFormat: String, Codable, CaseIterable, Sendable {
  /// `QUERY`
  case QUERY
  /// `PLAIN`
  case PLAIN
  /// `PHRASE`
  case PHRASE
  /// `ADVANCED`
  case ADVANCED
}

// MARK: Connector Enums

/// Where a movie can be seen.
public enum Medium: RawRepresentable, CaseIterable, Codable, Hashable, Sendable {
  /// `CINEMA`
  case CINEMA
  /// `TELEVISION`
  case TELEVISION
  /// A value that the schema did not have when this was generated.
  case _UNKNOWN(String)

  /// The values that the schema had when this was generated, in its order.
  public static var allCases: [Medium] {
    [.CINEMA, .TELEVISION]
  }

  /// The value with a name; `_UNKNOWN` for one that was not known.
  public init(rawValue: String) {
    switch rawValue {
    case "CINEMA": self = .CINEMA
    case "TELEVISION": self = .TELEVISION
    default: self = ._UNKNOWN(rawValue)
    }
  }

  /// What the schema calls it.
  public var rawValue: String {
    switch self {
    case .CINEMA: "CINEMA"
    case .TELEVISION: "TELEVISION"
    case ._UNKNOWN(let rawValue): rawValue
    }
  }

  /// Reads its name.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(RawValue.self))
  }

  /// Writes its name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

// MARK: Operations

/// The query `ListMovies`.
public final class ListMoviesQuery: Sendable {
  let dataConnect: DataConnect

  init(dataConnect: DataConnect) { self.dataConnect = dataConnect }

  /// What the connector calls it.
  public static let OperationName = "ListMovies"

  /// The query with its variables.
  public typealias Ref = QueryRefObservation<Data, Variables>

  /// The variables of the query.
  public struct Variables: OperationVariable {
    /// There are none.
    public init() {}
  }

  /// The query with variables, to be executed and observed.
  public func ref() -> Ref {
    let variables = Self.Variables()
    return self.reference(variables)
  }

  private func reference(_ variables: Variables) -> Ref {
    dataConnect.query(name: Self.OperationName, variables: variables, resultsDataType: Data.self)
  }

  /// Executes the query once.
  @MainActor
  public func execute(fetchPolicy: QueryFetchPolicy = .preferCache) async throws -> OperationResult<Data> {
    let variables = Self.Variables()
    return try await self.reference(variables).execute(fetchPolicy: fetchPolicy)
  }

  /// What the query gives.
  public struct Data: Decodable, Sendable {
    /// What is selected of it.
    public struct Movie: Decodable, Sendable, Hashable, Equatable, Identifiable {
      /// The field `id`.
      public var id: UUID
      /// The field `title`.
      public var title: String
      /// The field `genre`.
      public var genre: String?
      /// The field `releaseYear`.
      public var releaseYear: Int?
      /// The field `medium`.
      public var medium: Medium?

      /// The key of the row.
      public var movieKey: MovieKey {
        .init(id: self.id)
      }

      /// Rows with one key are the same row.
      public static func == (left: Self, right: Self) -> Bool {
        left.movieKey == right.movieKey
      }

      /// Puts in the key.
      public func hash(into hasher: inout Hasher) { hasher.combine(movieKey) }
    }

    /// The field `movies`.
    public var movies: [Movie]
  }
}

/// The query `ListMoviesByGenre`.
public final class ListMoviesByGenreQuery: Sendable {
  let dataConnect: DataConnect

  init(dataConnect: DataConnect) { self.dataConnect = dataConnect }

  /// What the connector calls it.
  public static let OperationName = "ListMoviesByGenre"

  /// The query with its variables.
  public typealias Ref = QueryRefObservation<Data, Variables>

  /// The variables of the query.
  public struct Variables: OperationVariable {
    /// The variable `$genre`.
    public var genre: String

    /// The variables that are required, and a closure that sets others.
    public init(genre: String) {
      self.genre = genre
    }

    private enum CodingKeys: String, CodingKey {
      case genre = "genre"
    }

    /// Writes the variables that are set.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(self.genre, forKey: .genre)
    }
  }

  /// The query with variables, to be executed and observed.
  public func ref(genre: String) -> Ref {
    let variables = Self.Variables(genre: genre)
    return self.reference(variables)
  }

  private func reference(_ variables: Variables) -> Ref {
    dataConnect.query(name: Self.OperationName, variables: variables, resultsDataType: Data.self)
  }

  /// Executes the query once.
  @MainActor
  public func execute(
    fetchPolicy: QueryFetchPolicy = .preferCache, genre: String
  ) async throws -> OperationResult<Data> {
    let variables = Self.Variables(genre: genre)
    return try await self.reference(variables).execute(fetchPolicy: fetchPolicy)
  }

  /// What the query gives.
  public struct Data: Decodable, Sendable {
    /// What is selected of it.
    public struct Movie: Decodable, Sendable, Hashable, Equatable, Identifiable {
      /// The field `id`.
      public var id: UUID
      /// The field `title`.
      public var title: String
      /// The field `genre`.
      public var genre: String?
      /// The field `releaseYear`.
      public var releaseYear: Int?
      /// The field `medium`.
      public var medium: Medium?

      /// The key of the row.
      public var movieKey: MovieKey {
        .init(id: self.id)
      }

      /// Rows with one key are the same row.
      public static func == (left: Self, right: Self) -> Bool {
        left.movieKey == right.movieKey
      }

      /// Puts in the key.
      public func hash(into hasher: inout Hasher) { hasher.combine(movieKey) }
    }

    /// The field `movies`.
    public var movies: [Movie]
  }
}

/// The query `GetMovie`.
public final class GetMovieQuery: Sendable {
  let dataConnect: DataConnect

  init(dataConnect: DataConnect) { self.dataConnect = dataConnect }

  /// What the connector calls it.
  public static let OperationName = "GetMovie"

  /// The query with its variables.
  public typealias Ref = QueryRefObservation<Data, Variables>

  /// The variables of the query.
  public struct Variables: OperationVariable {
    /// The variable `$key`.
    public var key: MovieKey

    /// The variables that are required, and a closure that sets others.
    public init(key: MovieKey) {
      self.key = key
    }

    private enum CodingKeys: String, CodingKey {
      case key = "key"
    }

    /// Writes the variables that are set.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(self.key, forKey: .key)
    }
  }

  /// The query with variables, to be executed and observed.
  public func ref(key: MovieKey) -> Ref {
    let variables = Self.Variables(key: key)
    return self.reference(variables)
  }

  private func reference(_ variables: Variables) -> Ref {
    dataConnect.query(name: Self.OperationName, variables: variables, resultsDataType: Data.self)
  }

  /// Executes the query once.
  @MainActor
  public func execute(
    fetchPolicy: QueryFetchPolicy = .preferCache, key: MovieKey
  ) async throws -> OperationResult<Data> {
    let variables = Self.Variables(key: key)
    return try await self.reference(variables).execute(fetchPolicy: fetchPolicy)
  }

  /// What the query gives.
  public struct Data: Decodable, Sendable {
    /// What is selected of it.
    public struct Movie: Decodable, Sendable, Hashable, Equatable, Identifiable {
      /// The field `id`.
      public var id: UUID
      /// The field `title`.
      public var title: String
      /// The field `genre`.
      public var genre: String?
      /// The field `releaseYear`.
      public var releaseYear: Int?
      /// The field `medium`.
      public var medium: Medium?
      /// The field `imageUrl`.
      public var imageUrl: String

      /// The key of the row.
      public var movieKey: MovieKey {
        .init(id: self.id)
      }

      /// Rows with one key are the same row.
      public static func == (left: Self, right: Self) -> Bool {
        left.movieKey == right.movieKey
      }

      /// Puts in the key.
      public func hash(into hasher: inout Hasher) { hasher.combine(movieKey) }
    }

    /// The field `movie`.
    public var movie: Movie?
  }
}

/// The mutation `CreateMovie`.
public final class CreateMovieMutation: Sendable {
  let dataConnect: DataConnect

  init(dataConnect: DataConnect) { self.dataConnect = dataConnect }

  /// What the connector calls it.
  public static let OperationName = "CreateMovie"

  /// The mutation with its variables.
  public typealias Ref = MutationRef<Data, Variables>

  /// The variables of the mutation.
  public struct Variables: OperationVariable {
    /// The variable `$title`.
    public var title: String
    /// The variable `$genre`.
    public var genre: String
    /// The variable `$imageUrl`.
    public var imageUrl: String
    /// The variable `$releaseYear`.
    @OptionalVariable public var releaseYear: Int?
    /// The variable `$medium`.
    @OptionalVariable public var medium: Medium?

    /// The variables that are required, and a closure that sets others.
    public init(title: String, genre: String, imageUrl: String, _ optionalVars: ((inout Variables) -> Void)? = nil) {
      self.title = title
      self.genre = genre
      self.imageUrl = imageUrl
      optionalVars?(&self)
    }

    private enum CodingKeys: String, CodingKey {
      case title = "title"
      case genre = "genre"
      case imageUrl = "imageUrl"
      case releaseYear = "releaseYear"
      case medium = "medium"
    }

    /// Writes the variables that are set.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(self.title, forKey: .title)
      try container.encode(self.genre, forKey: .genre)
      try container.encode(self.imageUrl, forKey: .imageUrl)
      if self.$releaseYear.isSet { try container.encode(self.releaseYear, forKey: .releaseYear) }
      if self.$medium.isSet { try container.encode(self.medium, forKey: .medium) }
    }
  }

  /// The mutation with variables, to be executed.
  public func ref(
    title: String, genre: String, imageUrl: String, _ optionalVars: ((inout Variables) -> Void)? = nil
  ) -> Ref {
    let variables = Self.Variables(title: title, genre: genre, imageUrl: imageUrl, optionalVars)
    return self.reference(variables)
  }

  private func reference(_ variables: Variables) -> Ref {
    dataConnect.mutation(name: Self.OperationName, variables: variables, resultsDataType: Data.self)
  }

  /// Executes the mutation once.
  @MainActor
  public func execute(
    title: String, genre: String, imageUrl: String, _ optionalVars: (@MainActor (inout Variables) -> Void)? = nil
  ) async throws -> OperationResult<Data> {
    var variables = Self.Variables(title: title, genre: genre, imageUrl: imageUrl)
    optionalVars?(&variables)
    return try await self.reference(variables).execute()
  }

  /// What the mutation gives.
  public struct Data: Decodable, Sendable, MutationData {
    /// The field `movie_insert`.
    public var movie_insert: MovieKey
  }
}

/// The mutation `RenameMovie`.
public final class RenameMovieMutation: Sendable {
  let dataConnect: DataConnect

  init(dataConnect: DataConnect) { self.dataConnect = dataConnect }

  /// What the connector calls it.
  public static let OperationName = "RenameMovie"

  /// The mutation with its variables.
  public typealias Ref = MutationRef<Data, Variables>

  /// The variables of the mutation.
  public struct Variables: OperationVariable {
    /// The variable `$key`.
    public var key: MovieKey
    /// The variable `$title`.
    public var title: String

    /// The variables that are required, and a closure that sets others.
    public init(key: MovieKey, title: String) {
      self.key = key
      self.title = title
    }

    private enum CodingKeys: String, CodingKey {
      case key = "key"
      case title = "title"
    }

    /// Writes the variables that are set.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(self.key, forKey: .key)
      try container.encode(self.title, forKey: .title)
    }
  }

  /// The mutation with variables, to be executed.
  public func ref(key: MovieKey, title: String) -> Ref {
    let variables = Self.Variables(key: key, title: title)
    return self.reference(variables)
  }

  private func reference(_ variables: Variables) -> Ref {
    dataConnect.mutation(name: Self.OperationName, variables: variables, resultsDataType: Data.self)
  }

  /// Executes the mutation once.
  @MainActor
  public func execute(key: MovieKey, title: String) async throws -> OperationResult<Data> {
    let variables = Self.Variables(key: key, title: title)
    return try await self.reference(variables).execute()
  }

  /// What the mutation gives.
  public struct Data: Decodable, Sendable, MutationData {
    /// The field `movie_update`.
    public var movie_update: MovieKey?
  }
}
