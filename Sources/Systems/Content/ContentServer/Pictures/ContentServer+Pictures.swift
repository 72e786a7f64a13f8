internal import ContentRepository
internal import HTTPServer
internal import Images

extension ContentServer {
  /// Returns the unchanged file of an asset at a path of the repository.
  func asset(_ path: String, _ request: ServerRequest) async -> ServerResponse {
    let generation = generation
    guard let asset = repository.state.asset(path: path) else { return Self.notFound }
    return await serve(asset, as: nil, varies: false, generation: generation, request)
  }

  /// The rendition that a `_dynamicUrl` asks for.
  func rendition(_ identifier: String, named name: String, _ request: ServerRequest) async -> ServerResponse {
    let generation = generation
    guard let asset = repository.state.asset(id: identifier) else { return Self.notFound }
    // Others, such as drawings of SVG, are sent as they are.
    let isPicture = ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(asset.mimeType)
    guard isPicture else { return await serve(asset, as: nil, varies: false, generation: generation, request) }
    do throws(PictureFault) {
      let order = try PictureRequest(name: name, query: request.query, accept: request.header("Accept"))
      return await serve(asset, as: order.transform, varies: order.prefersWebP, generation: generation, request)
    } catch {
      return ServerResponse(status: 400, text: error.message)
    }
  }

  private func serve(
    _ asset: ContentAsset, as transform: ImageTransform?, varies: Bool, generation: UInt64, _ request: ServerRequest
  ) async -> ServerResponse {
    do throws(Pictures.Fault) {
      let served = try await pictures.serve(asset, as: transform, generation: generation)
      var headers = [
        ServerField("Content-Type", served.mimeType), ServerField("ETag", served.tag),
        ServerField("X-Content-Type-Options", "nosniff"),
      ]
      // Ten minutes on publish, as AEM has it; none on author.
      if !configuration.isAuthor { headers.append(ServerField("Cache-Control", "max-age=600")) }
      if varies { headers.append(ServerField("Vary", "Accept")) }
      return EntityTag.validated(ServerResponse(headers: headers, body: served.bytes), for: request)
    } catch {
      switch error {
      case .unreadable: return Self.notFound
      case .notRendered(let why): return ServerResponse(status: 400, text: why)
      }
    }
  }
}
