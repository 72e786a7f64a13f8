package import CommandLineTool

/// One command of the tool: its description and what it does.
package protocol HostSubcommand: SendableMetatype {
  /// Its name, options and help.
  static var command: Command { get }
  /// Where the help of the tool lists it; among the commands that use extensions, unless it says otherwise.
  static var section: CommandSection { get }
  /// Whether a command line of a command that the tool itself has needs the second program after all (``ToolLibraries``);
  /// no, unless the command says otherwise.
  static func needsLibraries(_ invocation: Invocation) -> Bool
  /// Runs the command.
  ///
  /// - Returns: the exit status; what is thrown is printed and mapped by ``Failure``.
  static func run(_ invocation: Invocation) async throws -> ExitStatus
}

extension HostSubcommand {
  package static var section: CommandSection { .use }
  package static func needsLibraries(_ invocation: Invocation) -> Bool { false }
}

/// A part of the list of commands, in the order of the list.
package enum CommandSection: String, CaseIterable, Sendable {
  case use = "Commands that use extensions"
  case look = "Commands that show what is there"
  case register = "Commands that register bundles and decide about extensions"
  case data = "Commands for data"
  case develop = "Commands for authors of extensions"
  case mend = "Commands for when something is wrong"
}
