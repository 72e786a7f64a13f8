// Generated from the connector "movies": changes here are lost.

import DataConnect

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DataConnect {
  /// The connector `movies`, the same one for everybody.
  public static let moviesConnector = MoviesConnector(
    dataConnect: DataConnect.dataConnect(
      connectorConfig: MoviesConnector.connectorConfig,
      settings: DataConnectSettings(
        cacheSettings: CacheSettings(storage: .persistent, maxAge: .milliseconds(5000))),
      callerSDKType: .generated))
}

/// The operations of the connector `movies`.
public final class MoviesConnector: Sendable {
  let dataConnect: DataConnect

  /// Which connector of which service it is.
  public static let connectorConfig = ConnectorConfig(serviceId: "movies", location: "us-east4", connector: "movies")

  init(dataConnect: DataConnect) {
    self.dataConnect = dataConnect
    listMoviesQuery = ListMoviesQuery(dataConnect: dataConnect)
    listMoviesByGenreQuery = ListMoviesByGenreQuery(dataConnect: dataConnect)
    getMovieQuery = GetMovieQuery(dataConnect: dataConnect)
    createMovieMutation = CreateMovieMutation(dataConnect: dataConnect)
    renameMovieMutation = RenameMovieMutation(dataConnect: dataConnect)
  }

  /// Has everything go to an emulator from now on.
  public func useEmulator(
    host: String = DataConnect.EmulatorDefaults.host, port: Int = DataConnect.EmulatorDefaults.port
  ) {
    dataConnect.useEmulator(host: host, port: port)
  }

  // MARK: Operations

  /// The query `ListMovies`.
  public let listMoviesQuery: ListMoviesQuery
  /// The same as `listMoviesQuery`.
  public var listMovies: ListMoviesQuery { listMoviesQuery }

  /// The query `ListMoviesByGenre`.
  public let listMoviesByGenreQuery: ListMoviesByGenreQuery
  /// The same as `listMoviesByGenreQuery`.
  public var listMoviesByGenre: ListMoviesByGenreQuery { listMoviesByGenreQuery }

  /// The query `GetMovie`.
  public let getMovieQuery: GetMovieQuery
  /// The same as `getMovieQuery`.
  public var getMovie: GetMovieQuery { getMovieQuery }

  /// The mutation `CreateMovie`.
  public let createMovieMutation: CreateMovieMutation
  /// The same as `createMovieMutation`.
  public var createMovie: CreateMovieMutation { createMovieMutation }

  /// The mutation `RenameMovie`.
  public let renameMovieMutation: RenameMovieMutation
  /// The same as `renameMovieMutation`.
  public var renameMovie: RenameMovieMutation { renameMovieMutation }
}
