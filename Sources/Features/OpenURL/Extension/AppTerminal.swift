public import ExtensionProtocol
import ExtensionRuntime

/// The terminal at which the user started a containing app: the place for its forms.
///
/// ```swift
/// guard let terminal = AppTerminal.own else { return "Start the app at a terminal." }
/// let name = try await terminal.ask("Name:")
/// ```
///
/// An app that a host started, confined, has none.
public struct AppTerminal: Sendable {
  private let terminal: ResidentTerminal

  /// The terminal of this app; `nil` when a host started the app, or its streams are no terminal.
  public static var own: AppTerminal? { ResidentTerminal.own.map(AppTerminal.init) }

  private init(_ terminal: ResidentTerminal) { self.terminal = terminal }

  /// Shows a line. What a terminal would obey is taken out of it.
  ///
  /// - Parameter line: at most 1,000 characters of it are shown.
  public func show(_ line: String) { terminal.show(line) }

  /// Asks the user for a line.
  ///
  /// - Returns: the line, at most 4,095 bytes; `nil` when the user ends the input (Ctrl-D).
  /// - Throws: `limitExceeded` while another question is open; `cancelled` when the host no longer waits for the
  ///   answer.
  public func ask(_ prompt: String) async throws(ExtensionError) -> String? {
    try await terminal.ask(prompt, isHidden: false)
  }

  /// Asks the user for a line of which the terminal shows nothing.
  ///
  /// - Returns: as ``ask(_:)``.
  /// - Throws: as ``ask(_:)``.
  public func askHidden(_ prompt: String) async throws(ExtensionError) -> SecretText? {
    try await terminal.ask(prompt, isHidden: true).map { SecretText($0) }
  }
}
