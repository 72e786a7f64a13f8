internal import HTTP
package import HTTPServer
internal import Images
internal import JSON

extension ContentServer {
  /// Returns a description of the request as the server parses it, before it reads any content. Fuzz tests use it.
  package static func reading(of request: ServerRequest) -> String {
    guard let path = PercentEncoding.decoded(request.path) else { return "no path" }
    switch ContentEndpoint(path: path) {
    case .execute(let suffix):
      let named = variables(inPath: Array(parts(of: suffix).dropFirst())) ?? [:]
      let given = variables(inBody: request.body) ?? [:]
      return "execute \(JSONCoding.text(of: .object(named))) \(JSONCoding.text(of: .object(given)))"
    case .persist(let suffix):
      do throws(PersistFault) {
        let query = try StoredQuery(configuration: "site", name: "name", body: request.body)
        let policy = query.caching.applied(to: .standard(isAuthor: false))
        return "persist \(PersistedQueries.isName(suffix)) \(policy.field) \(query.text)"
      } catch {
        return "persist: \(error.message)"
      }
    case .adHoc:
      let order = request.method == "POST" ? order(inBody: request) : order(inQuery: request.query)
      return "run \(order?.text ?? "nothing")"
    case .rendition(_, let name):
      do throws(PictureFault) {
        let order = try PictureRequest(name: name, query: request.query, accept: request.header("Accept"))
        let sides = [order.transform.width, order.transform.size?.width, order.transform.size?.height]
        precondition(sides.allSatisfy { ($0 ?? 0) <= PictureRequest.mostPixels })
        precondition((1...100).contains(order.transform.quality ?? 1))
        return "picture \(order.transform)"
      } catch {
        return "picture: \(error.message)"
      }
    case let other: return "\(other)"
    }
  }
}
