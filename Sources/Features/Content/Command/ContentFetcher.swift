import CommandLineTool
import ConfigurationFiles
import ContentClient
import Contracts
import ExtensionHosting
import ExtensionProtocol
import Glibc
import HostCLI
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
    let configuration = try Self.configuration(invocation, state: state)
    isLocal = configuration.isLoopback
    let console = invocation.console
    var limits = ContentClient.Limits()
    limits.timeout = Self.timeout
    client = ContentClient(
      configuration: configuration, cachePath: { try "\(state.folder("cache"))/content.sqlite" }, limits: limits,
      report: { console.warn("\($0)") })
  }

  /// Runs a persisted query.
  ///
  /// - Throws: ``ExtensionError`` with the code `contentFailed`.
  func fetch(_ query: String, _ variables: JSONObject) async throws -> Content.Execute.Result {
    do {
      let result = try await client.execute(query: query, variables: variables, policy: policy)
      console.detail("content \(query): \(result.source.rawValue), \(result.ageSeconds) s old")
      return Content.Execute.Result(
        data: result.data, errors: result.errors, source: result.source.rawValue, ageSeconds: result.ageSeconds)
    } catch {
      var error = ExtensionError(error)
      error.details["isLocal"] = .bool(isLocal)
      throw error
    }
  }

  private static func configuration(_ invocation: Invocation, state: StateDirectory) throws -> ContentConfiguration {
    let standard = "\(state.path)/Config.xcconfig"
    let named = invocation.parsed.value("config")
    guard let path = named ?? (access(standard, F_OK) == 0 ? standard : nil) else { return ContentConfiguration() }
    do {
      let settings = try XCConfig(contentsOf: path)
      for warning in settings.warnings { invocation.console.warn("\(warning)") }
      return try ContentConfiguration(settings)
    } catch {
      throw Failure(
        ExtensionError(.invalidParams, error.message, recovery: error.recovery), status: .configuration)
    }
  }
}

extension ExtensionError {
  /// A failure of the content client, in the terms of the wire.
  init(_ error: ContentError) {
    var details: [String: JSONValue] = ["kind": .string(error.kind.rawValue)]
    if let status = error.httpStatus { details["httpStatus"] = .integer(Int64(status)) }
    let code: Code =
      switch error.kind {
      case .invalidQuery: .invalidParams
      case .cancelled: .cancelled
      default: .contentFailed
      }
    self.init(code, error.message, recovery: error.recovery, details: details)
  }
}
