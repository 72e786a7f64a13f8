import Files
import GraphQL
import Text

extension ContentLoader {
  /// A query of a file.
  struct QueryFile {
    let query: ContentState.PersistedQuery
    let file: ContentFile
  }

  /// The persisted queries, by their configurations.
  mutating func queries(_ list: [ContentFile]) -> [String: [QueryFile]] {
    var queries: [String: [QueryFile]] = [:]
    for file in list where file.path.hasPrefix("persisted/") {
      let parts = file.path.pathParts().map(String.init)
      guard parts.count == 3, file.pathExtension == "graphql" else {
        problems.add(
          file.path, "This is not a query.",
          "Queries are files persisted/<configuration>/<name>.graphql; move it or take it away.")
        continue
      }
      guard let bytes = bytes(file) else { continue }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        problems.add(file.path, "This text cannot be read as UTF-8.", "Save it as UTF-8.")
        continue
      }
      let query = ContentState.PersistedQuery(name: String(parts[2].dropLast(8)), text: text)
      queries[parts[1], default: []].append(QueryFile(query: query, file: file))
    }
    return queries
  }

  /// Queries are right for the models of their configuration, or of all when it has none.
  mutating func check(_ queries: [String: [QueryFile]], _ endpoints: [String: Endpoint]) {
    for (configuration, list) in queries.sorted(by: { $0.key < $1.key }) {
      guard let endpoint = endpoints[configuration] ?? endpoints[ContentGraph.global] else { continue }
      for query in list {
        for error in endpoint.prepared(query.query.text).errors {
          let place = error.locations.first.map { SourcePlace(line: $0.line, column: $0.column) }
          problems.add(query.file.path, place, error.message, error.fix ?? "Correct the query at this place.")
        }
      }
    }
  }

  /// An endpoint for each configuration, and one for all.
  mutating func endpoints(_ models: [String: ContentModel]) -> [String: Endpoint] {
    var endpoints: [String: Endpoint] = [:]
    let names = Set(models.values.map(\.configuration)).sorted()
    for name in names + [ContentGraph.global] where endpoints[name] == nil || name == ContentGraph.global {
      let plan = SchemaPlan(configuration: name == ContentGraph.global ? nil : name, models: models)
      let text = SchemaText.text(of: plan)
      if let known = previous.endpoints[name], known.text == text, known.plan == plan {
        endpoints[name] = known
        continue
      }
      do throws(GraphQLErrors) {
        endpoints[name] = try Endpoint(text: text, plan: plan)
      } catch {
        for problem in error.errors.prefix(8) {
          problems.add(
            "models/\(name == ContentGraph.global ? "" : name)", nil, "The models make no schema: \(problem.message)",
            problem.fix ?? "Rename what is in the way.")
        }
      }
    }
    return endpoints
  }
}
