internal import JSONRPC

/// A query that is stored on the server, with the variables it declares.
struct StoredQuery: Sendable {
  enum Kind: Sendable {
    case list
    case bySlug
  }

  static let configurationName = "wknd-shared"

  let name: String
  let kind: Kind
  let variables: [QueryVariable]
  /// The text as it would be stored in AEM.
  let text: String

  static let all = [adventuresAll, adventureBySlug]

  private static let imageVariables = [
    QueryVariable("imageFormat", .format, defaultValue: "JPG"), QueryVariable("imageWidth", .int, defaultValue: 1200),
    QueryVariable("imageQuality", .int, defaultValue: 80),
  ]
  private static let declaredImage =
    "$imageFormat: AssetTransformFormat = JPG, $imageWidth: Int = 1200, $imageQuality: Int = 80"
  private static let transform =
    "_assetTransform: {format: $imageFormat, width: $imageWidth, quality: $imageQuality, preferWebp: true}"
  private static let shortFields =
    "_path slug title adventureType activity difficulty groupSize price tripLength "
    + "primaryImage { ... on ImageRef { _path _dynamicUrl mimeType width height } }"

  private static let adventuresAll = StoredQuery(
    name: "adventures-all", kind: .list,
    variables: [QueryVariable("offset", .int), QueryVariable("limit", .int), QueryVariable("sort", .string)]
      + imageVariables,
    text: """
      query ($offset: Int, $limit: Int, $sort: String, \(declaredImage)) {
        adventureList(offset: $offset, limit: $limit, sort: $sort, \(transform)) {
          items { \(shortFields) }
        }
      }
      """)

  private static let adventureBySlug = StoredQuery(
    name: "adventure-by-slug", kind: .bySlug,
    variables: [QueryVariable("slug", .string, isRequired: true)] + imageVariables,
    text: """
      query ($slug: String!, \(declaredImage)) {
        adventureList(filter: {slug: {_expressions: [{value: $slug}]}}, \(transform)) {
          items {
            \(shortFields)
            description { html plaintext } itinerary { html plaintext } gearList { html plaintext }
          }
          _references
        }
      }
      """)

  /// As `list.json` shows it.
  var listed: JSONValue {
    let path = "\(Self.configurationName)/\(name)"
    let long = "/conf/\(Self.configurationName)/settings/graphql/persistentQueries/\(name)"
    return ["path": ["shortForm": .string(path), "longForm": .string(long)], "data": ["query": .string(text)]]
  }

  /// The declared variables with their values; what is not declared is dropped, as AEM does.
  ///
  /// - Parameter isText: whether the values come from a path, where all are text.
  func coerce(_ given: JSONObject, isText: Bool) throws(QueryError) -> JSONObject {
    var values = JSONObject()
    for variable in variables {
      values[variable.name] = try variable.coerce(given[variable.name], isText: isText)
    }
    return values
  }

  /// The `data` of the answer.
  func run(
    _ values: JSONObject, in library: ContentLibrary, hasDynamicURLs: Bool
  ) throws(QueryError) -> JSONValue {
    let rendition = hasDynamicURLs ? ImageRendition(values) : nil
    switch kind {
    case .list:
      var items = library.adventures
      if let sort = values["sort"]?.stringValue, !sort.isEmpty { try SortOrder(sort).sort(&items) }
      let offset = try Self.position(values["offset"], named: "offset") ?? 0
      let limit = try Self.position(values["limit"], named: "limit") ?? items.count
      let page = items.dropFirst(offset).prefix(limit)
      return ["adventureList": ["items": .array(page.map { $0.value(isWhole: false, rendition: rendition) })]]
    case .bySlug:
      let slug = values["slug"]?.stringValue
      let found = library.adventures.filter { $0.fields["slug"]?.stringValue == slug }
      let items = found.map { $0.value(isWhole: true, rendition: rendition) }
      return ["adventureList": ["items": .array(items), "_references": []]]
    }
  }

  private static func position(_ value: JSONValue?, named name: String) throws(QueryError) -> Int? {
    guard let number = value?.integerValue else { return nil }
    guard let position = Int(exactly: number), position >= 0 else {
      throw QueryError("'\(name)' must not be negative: \(number)")
    }
    return position
  }
}
