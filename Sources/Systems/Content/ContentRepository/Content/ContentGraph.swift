import Text

/// All models, fragments, assets and queries of a folder, indexed for queries.
final class ContentGraph: Sendable {
  /// The models, by their keys: `wknd-shared/adventure`.
  let models: [String: ContentModel]
  /// The fragments, by their paths, of which every byte counts: two spellings of an accent are two files.
  let fragments: [ExactText: ContentFragment]
  let fragmentsByID: [String: ContentFragment]
  /// The fragments of each model, by its key.
  let lists: [String: FragmentList]
  /// The assets, by their paths.
  private let assets: [ExactText: ContentAsset]
  let assetsByID: [String: ContentAsset]
  /// The queries, by their configurations' names and sorted by their own.
  let queries: [String: [ContentState.PersistedQuery]]
  /// The endpoints, by the names of configurations; `global` for all models.
  let endpoints: [String: Endpoint]
  /// The JSON files that it was made of, by their paths.
  let files: [ExactText: SourceFile]

  /// The endpoint that has all models.
  static let global = "global"

  init(
    models: [String: ContentModel], fragments: [ContentFragment], assets: [ContentAsset],
    queries: [String: [ContentState.PersistedQuery]], endpoints: [String: Endpoint], files: [ExactText: SourceFile]
  ) {
    self.models = models
    self.fragments = Dictionary(fragments.map { (ExactText($0.path), $0) }) { first, _ in first }
    fragmentsByID = Dictionary(fragments.map { ($0.id, $0) }) { first, _ in first }
    let groups = Dictionary(grouping: fragments) { $0.model.key }
    lists = groups.mapValues { FragmentList($0) }
    self.assets = Dictionary(assets.map { (ExactText($0.path), $0) }) { first, _ in first }
    assetsByID = Dictionary(assets.map { ($0.id, $0) }) { first, _ in first }
    self.queries = queries
    self.endpoints = endpoints
    self.files = files
  }

  /// A graph without any content.
  static let empty = ContentGraph(models: [:], fragments: [], assets: [], queries: [:], endpoints: [:], files: [:])

  /// The fragment at a path.
  func fragment(at path: String) -> ContentFragment? { fragments[ExactText(path)] }

  /// The asset at a path.
  func asset(at path: String) -> ContentAsset? { assets[ExactText(path)] }

  /// The names of configurations, sorted.
  var configurationNames: [String] {
    Set(models.values.map(\.configuration)).union(queries.keys).sorted()
  }
}
