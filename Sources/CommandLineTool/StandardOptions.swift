/// The options that every level of the tool accepts.
extension CommandOption {
  /// `--json`
  package static let json = flag("json", "Print one JSON document (or one per line) and nothing else")
  /// `--home DIR`
  package static let home = value(
    "home", "DIR", "The folder where state is kept", environment: "ANNEX_HOME", values: .directory)
  /// `--manifests DIR`, which may be repeated.
  package static let manifests = value(
    "manifests", "DIR", "Add a folder of manifests", isRepeatable: true, values: .directory)
  /// `--quiet`
  package static let quiet = flag("quiet", short: "q", "Leave out notes and progress")
  /// `--verbose`
  package static let verbose = flag("verbose", "Say more about what happens")
  /// Handled by the parser: see ``ParsedCommand/Request``.
  package static let help = flag("help", short: "h", "Show help for a command")
  /// Handled by the parser: see ``ParsedCommand/Request``.
  package static let version = flag("version", "Show the version")

  /// The options for a root command. `--help` and `--version` are not among them: the parser adds them itself.
  package static let standard: [CommandOption] = [.json, .home, .manifests, .quiet, .verbose]
}
