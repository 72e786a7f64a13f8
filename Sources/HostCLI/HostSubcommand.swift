import CommandLineTool

/// One command of the tool, in a file of its own: its description and what it does.
protocol HostSubcommand: SendableMetatype {
  static var command: Command { get }
  /// - Returns: the exit status; what is thrown is printed and mapped by ``Failure``.
  static func run(_ invocation: Invocation) async throws -> ExitStatus
}
