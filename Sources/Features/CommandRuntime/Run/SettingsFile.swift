import CommandLineTool
package import ConfigurationFiles
import ExtensionHosting
import ExtensionProtocol
import Files
import Synchronization

/// The configuration file of one run of the tool: read when it is first needed, and once.
final class SettingsFile: Sendable {
  /// Its name in the state folder.
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
  /// What the configuration file says: the one that `--config` names, else `Config.xcconfig` in the state folder. `nil`
  /// when there is none. Its warnings are told once.
  ///
  /// - Throws: `Failure` with file and line of what is wrong with it, and the status of a wrong configuration.
  package func settings() throws -> XCConfig? {
    do { return try readSettings() } catch { throw Failure(error, status: .configuration) }
  }

  /// The same for those who say a status of their own.
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
