import ContentServer
import HTTPServer
import JSON
import TestSupport
import Testing

/// A folder of content: trips with pictures, and two queries.
final class TestSite: Sendable {
  let directory: TemporaryDirectory
  var root: String { directory.path }

  static let list = "/graphql/execute.json/site/trips"
  static let bySlug = "/graphql/execute.json/site/trip-by-slug"

  init(trips: Int = 4) throws {
    directory = try TemporaryDirectory()
    try write("models/site/trip.json", Self.model)
    try write("persisted/site/trips.graphql", Self.trips)
    try write("persisted/site/trip-by-slug.graphql", Self.tripBySlug)
    try write("content/dam/site/hill.png", Landscape.bytes)
    for number in 0..<trips { try write(trip: number, price: number * 100) }
  }

  func write(trip number: Int, title: String? = nil, price: Int) throws {
    try write(
      "content/dam/site/trip-\(number).json",
      """
      {"model": "site/trip", "fields": {"title": "\(title ?? "Trip \(number)")", "slug": "trip-\(number)",
        "price": \(price), "picture": "/content/dam/site/hill.png"}}
      """)
  }

  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    try FileSystem.write(bytes, to: directory.file(name))
  }

  private static let model = """
    {"title": "Trip", "fields": [
      {"name": "title", "type": "text"}, {"name": "slug", "type": "text"}, {"name": "price", "type": "float"},
      {"name": "picture", "type": "content"}
    ]}
    """
  private static let trips = """
    query ($limit: Int, $sort: String, $format: AssetTransformFormat, $width: Int, $quality: Int) {
      tripList(
        limit: $limit, sort: $sort,
        _assetTransform: {format: $format, width: $width, quality: $quality, preferWebp: true}
      ) {
        items { _path title slug price picture { ... on ImageRef { _path _dynamicUrl mimeType width height } } }
      }
    }
    """
  private static let tripBySlug = """
    query ($slug: String!) {
      tripList(filter: {slug: {_expressions: [{value: $slug}]}}) { items { _path title slug } }
    }
    """
}

/// Asks a server without a network.
func ask(
  _ target: String, method: String = "GET", headers: [ServerField] = [], body: String = "", of server: ContentServer
) async -> ServerResponse {
  let parts = target.split(separator: "?", maxSplits: 1).map { String($0) }
  return await server.respond(
    to: ServerRequest(
      method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil, headers: headers,
      body: Array(body.utf8)))
}

func json(_ response: ServerResponse) throws -> JSONValue { try JSONCoding.parse(response.body) }

func text(_ response: ServerResponse) -> String { String(decoding: response.body, as: UTF8.self) }
