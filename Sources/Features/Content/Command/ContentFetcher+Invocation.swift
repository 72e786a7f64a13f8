import CommandLineTool
import CommandRuntime
import ConfigurationFiles
import ContentClient
import ContentServices
import ExtensionProtocol

extension ContentFetcher {
  private static let mostErrors = 5

  /// Creates a fetcher from `--config FILE`, otherwise from `Config.xcconfig` in the state directory, otherwise for the
  /// server that `host serve content` runs on this machine. `--refresh` asks AEM again, whatever the cache contains.
  ///
  /// A note on standard error says when an answer is incomplete or old.
  ///
  /// - Throws: ``Failure`` with file and line of what is wrong with the configuration.
  init(_ invocation: Invocation) throws {
    let console = invocation.console
    self.init(
      state: try invocation.state(), configuration: try Self.configuration(invocation),
      policy: invocation.parsed.flag("refresh") ? .revalidate : .useCache
    ) { observation in
      switch observation {
      case .query(let query, let result):
        console.detail("content \(query): \(result.source.rawValue), \(result.ageSeconds) s old")
        if let reason = result.staleReason { console.warnOfAge(result.ageSeconds, reason) }
        for error in result.errors.prefix(Self.mostErrors) { console.warn("\(query) is not whole: \("\(error)")") }
        if result.errors.count > Self.mostErrors {
          console.warn("\(query) has \(result.errors.count - Self.mostErrors) errors more.")
        }
      case .picture(let path, let image):
        console.detail("picture \(path): \(image.source.rawValue), \(image.ageSeconds) s old")
        if let reason = image.staleReason { console.warnOfAge(image.ageSeconds, reason) }
      case .cache(let sentence): console.warn("\(sentence)")
      }
    }
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

extension Console {
  fileprivate func warnOfAge(_ seconds: Int, _ reason: String) {
    warn("This is content of \(seconds) s ago: \(reason)")
  }
}
