package import ContentClient
import Contracts
package import ExtensionHosting
package import ExtensionProtocol
package import JSON

/// Fetches content of one AEM, with caches below the state directory that a tool and its extensions share.
package struct ContentFetcher: Sendable {
  /// An event during a fetch, besides the answer.
  package enum Observation: Sendable {
    /// A persisted query was answered.
    case query(String, ContentResult)
    /// A picture of a path was fetched.
    case picture(String, ContentImage)
    /// A cache cannot be used, for the reason that the sentence gives.
    case cache(String)
  }

  /// The client that fetches.
  package let client: ContentClient
  private let policy: ContentClient.Policy
  private let observe: @Sendable (Observation) -> Void

  /// Seconds. Less than a widget has for its update (10), so that a user learns that AEM is silent, and not that the
  /// widget was late.
  private static let timeout = 7.0

  /// - Parameters:
  ///   - state: the caches are `content.sqlite` and `images.sqlite` in its folder `cache`.
  ///   - policy: whether the cache may answer alone, where a call does not ask for a refresh.
  ///   - observe: is called once for each answer, and for a cache that cannot be used.
  package init(
    state: StateDirectory, configuration: ContentConfiguration, policy: ContentClient.Policy = .useCache,
    observe: @escaping @Sendable (Observation) -> Void
  ) {
    (self.policy, self.observe) = (policy, observe)
    var limits = ContentClient.Limits()
    limits.timeout = Self.timeout
    client = ContentClient(
      configuration: configuration, cachePath: { try "\(state.folder("cache"))/content.sqlite" },
      imageCachePath: { try "\(state.folder("cache"))/images.sqlite" }, limits: limits,
      report: { observe(.cache($0)) })
  }

  /// Runs a persisted query.
  ///
  /// - Throws: ``ExtensionError`` with the code `contentFailed`.
  package func result(
    _ query: String, _ variables: JSONObject, refresh: Bool = false
  ) async throws(ExtensionError) -> ContentResult {
    do throws(ContentError) {
      let result = try await client.execute(
        query: query, variables: variables, policy: refresh ? .revalidate : policy)
      observe(.query(query, result))
      return result
    } catch {
      throw failure(error)
    }
  }

  /// Runs a persisted query for an extension.
  func fetch(_ asked: Content.Execute) async throws(ExtensionError) -> Content.Execute.Result {
    Content.Execute.Result(
      try await result(asked.query, asked.variables ?? JSONObject(), refresh: asked.refresh ?? false))
  }

  /// Fetches a picture.
  ///
  /// - Throws: ``ExtensionError`` with the code `contentFailed`, or `invalidParams` for a picture of another server.
  package func image(
    _ path: String, _ rendition: ImageRendition, refresh: Bool = false
  ) async throws(ExtensionError) -> ContentImage {
    do throws(ContentError) {
      let image = try await client.image(path: path, rendition: rendition, policy: refresh ? .revalidate : policy)
      observe(.picture(path, image))
      return image
    } catch {
      throw failure(error)
    }
  }

  /// Fetches a picture for an extension.
  func fetch(_ asked: Content.Image) async throws(ExtensionError) -> ContentPicture {
    let rendition = ImageRendition(
      width: asked.width, height: asked.height, format: asked.format, quality: asked.quality)
    let image = try await image(asked.path, rendition, refresh: asked.refresh ?? false)
    return ContentPicture(
      bytes: image.bytes, mimeType: image.mimeType, source: Content.Source(image.source), ageSeconds: image.ageSeconds)
  }

  private func failure(_ error: ContentError) -> ExtensionError {
    var error = ExtensionError(error)
    error.details["isLocal"] = .bool(client.configuration.isLoopback)
    return error
  }
}

extension Content.Source {
  fileprivate init(_ source: ContentSource) {
    self =
      switch source {
      case .network: .network
      case .cache: .cache
      case .revalidated: .revalidated
      case .stale: .stale
      }
  }
}

extension Content.Execute.Result {
  fileprivate init(_ result: ContentResult) {
    let errors = result.errors.map { error in
      Content.QueryError(
        message: error.message,
        path: error.path.isEmpty
          ? nil
          : error.path.map { step in
            switch step {
            case .field(let name): .string(name)
            case .index(let index): .integer(Int64(index))
            }
          },
        extensions: error.extensions.isEmpty ? nil : error.extensions)
    }
    self.init(
      data: result.data, errors: errors.isEmpty ? nil : errors, httpStatus: result.httpStatus,
      source: Content.Source(result.source), ageSeconds: result.ageSeconds)
  }
}

extension ExtensionError {
  /// A failure of the content client, in the terms of the wire.
  package init(_ error: ContentError) {
    var details: [String: JSONValue] = ["kind": .string(error.kind.rawValue)]
    if let status = error.httpStatus { details["httpStatus"] = .integer(Int64(status)) }
    let code: Code =
      switch error.kind {
      case .invalidQuery, .invalidPath: .invalidParams
      case .cancelled: .cancelled
      default: .contentFailed
      }
    self.init(code, error.message, recovery: error.recovery, details: details)
  }
}
