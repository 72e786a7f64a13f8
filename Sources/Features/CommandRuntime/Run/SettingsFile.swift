import CommandLineTool
package import ConfigurationFiles
import ExtensionHosting
import ExtensionProtocol
import Files
import Synchronization

/// The configuration file of one run of the tool, read once when it is first needed.
final class SettingsFile: Sendable {
  /// The name of the file in the state directory.
  static let name = "Config.xcconfig"

  private let content = Mutex<Result<XCConfig?, ExtensionError>?>(nil)

  fileprivate func content(_ read: () -> Result<XCConfig?, ExtensionError>) -> Result<XCConfig?, ExtensionError> {
    content.withLock { content in
      if let content { return content }
      let first = read()
      content = first
      return first
    }
  }
}

extension Invocation {
  /// Reads the configuration file: the one in `--config`, otherwise `Config.xcconfig` in the state directory. Returns
  /// `nil` when there is none. Prints its warnings once.
  ///
  /// - Throws: `Failure` with file and line of the fault, and the exit status of a wrong configuration.
  package func settings() throws -> XCConfig? {
    do { return try readSettings() } catch { throw Failure(error, status: .configuration) }
  }

  /// Reads the same file, for callers that choose the exit status themselves.
  func readSettings() throws(ExtensionError) -> XCConfig? {
    let state = try state()
    return try settingsFile.content {
      let standard = "\(state.path)/\(SettingsFile.name)"
      guard let path = parsed.value("config") ?? (FileStatus(standard) == nil ? nil : standard) else {
        return .success(nil)
      }
      do throws(ConfigurationError) {
        let settings = try XCConfig(contentsOf: path)
        for warning in settings.warnings { console.warn("\(warning)") }
        return .success(settings)
      } catch {
        return .failure(ExtensionError(.invalidParams, error.message, recovery: error.recovery))
      }
    }.get()
  }
}
