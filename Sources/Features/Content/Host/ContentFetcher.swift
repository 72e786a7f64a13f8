import CommandLineTool
import ConfigurationFiles
import ContentClient
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostCLI
import HostServices
import JSON
import JSONRPC

/// Fetches content as the configuration says: `--config FILE`, else `Config.xcconfig` in the state folder, else the
/// server that `host serve content` runs on this machine.
struct ContentFetcher: Sendable {
  let client: ContentClient
  /// Seconds. Less than a widget has for its update (10), so that a user learns that AEM is silent, and not that the
  /// widget was late.
  private static let timeout = 7.0
  private let policy: ContentClient.Policy
  private let console: Console
  /// Whether the server is to run on this machine.
  private let isLocal: Bool

  /// With `--refresh` AEM is asked again, whatever the cache holds.
  ///
  /// - Throws: ``Failure`` with file and line of what is wrong with the configuration.
  init(_ invocation: Invocation) throws {
    let state = try invocation.state()
    console = invocation.console
    policy = invocation.parsed.flag("refresh") ? .revalidate : .useCache
    let configuration = try Self.configuration(invocation)
    isLocal = configuration.isLoopback
    let console = invocation.console
    var limits = ContentClient.Limits()
    limits.timeout = Self.timeout
    client = ContentClient(
      configuration: configuration, cachePath: { try "\(state.folder("cache"))/content.sqlite" },
      imageCachePath: { try "\(state.folder("cache"))/images.sqlite" }, limits: limits,
      report: { console.warn("\($0)") })
  }

  /// Runs a persisted query. What is missing in its answer, and that the answer is an old one, is said on standard error.
  ///
  /// - Throws: ``ExtensionError`` with the code `contentFailed`.
  func result(_ query: String, _ variables: JSONObject, refresh: Bool = false) async throws -> ContentResult {
    do {
      let result = try await client.execute(
        query: query, variables: variables, policy: refresh ? .revalidate : policy)
      console.detail("content \(query): \(result.source.rawValue), \(result.ageSeconds) s old")
      if let reason = result.staleReason { tellStale(reason, result.ageSeconds) }
      for error in result.errors.prefix(Self.mostErrors) { console.warn("\(query) is not whole: \("\(error)")") }
      if result.errors.count > Self.mostErrors {
        console.warn("\(query) has \(result.errors.count - Self.mostErrors) errors more.")
      }
      return result
    } catch {
      throw failure(error)
    }
  }

  /// Runs a persisted query for an extension.
  func fetch(_ asked: Content.Execute) async throws -> Content.Execute.Result {
    Content.Execute.Result(
      try await result(asked.query, asked.variables ?? JSONObject(), refresh: asked.refresh ?? false))
  }

  /// Fetches a picture.
  ///
  /// - Throws: ``ExtensionError`` with the code `contentFailed`, or `invalidParams` for a picture of another server.
  func image(_ path: String, _ rendition: ImageRendition, refresh: Bool = false) async throws -> ContentImage {
    do {
      let image = try await client.image(path: path, rendition: rendition, policy: refresh ? .revalidate : policy)
      console.detail("picture \(path): \(image.source.rawValue), \(image.ageSeconds) s old")
      if let reason = image.staleReason { tellStale(reason, image.ageSeconds) }
      return image
    } catch {
      throw failure(error)
    }
  }

  /// Fetches a picture for an extension.
  func fetch(_ asked: Content.Image) async throws -> ContentPicture {
    let rendition = ImageRendition(
      width: asked.width, height: asked.height, format: asked.format, quality: asked.quality)
    let image = try await image(asked.path, rendition, refresh: asked.refresh ?? false)
    return ContentPicture(
      bytes: image.bytes, mimeType: image.mimeType, source: Content.Source(image.source), ageSeconds: image.ageSeconds)
  }

  private static let mostErrors = 5

  private func tellStale(_ reason: String, _ age: Int) {
    console.warn("This is content of \(age) s ago: \(reason)")
  }

  private func failure(_ error: ContentError) -> ExtensionError {
    var error = ExtensionError(error)
    error.details["isLocal"] = .bool(isLocal)
    return error
  }

  private static func configuration(_ invocation: Invocation) throws -> ContentConfiguration {
    guard let settings = try invocation.settings() else { return ContentConfiguration() }
    do {
      let configuration = try ContentConfiguration(settings)
      for warning in configuration.warnings { invocation.console.warn("\(warning)") }
      return configuration
    } catch {
      throw Failure(
        ExtensionError(.invalidParams, error.message, recovery: error.recovery), status: .configuration)
    }
  }
}

extension Content.Source {
  init(_ source: ContentSource) {
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
  init(_ error: ContentError) {
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
