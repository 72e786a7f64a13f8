/// An option of a command: `--name`, `--name value`, `-n value`.
package struct CommandOption: Sendable, Hashable {
  /// What follows the option's name.
  package enum Kind: Sendable, Hashable {
    /// Nothing: the option is there or it is not.
    case flag
    /// One value; the string is its name in help, in capitals by custom (`DIR`).
    case value(String)
  }

  /// The long name without dashes.
  package let name: String
  /// The one-letter name, or nil.
  package let short: Character?
  /// Whether a value follows.
  package let kind: Kind
  /// One sentence without a final stop.
  package let summary: String
  /// Whether a value option may be given more than once.
  package let isRepeatable: Bool
  /// The environment variable that is read when the option is absent. An empty variable is treated as absent.
  package let environment: String?
  /// The value when neither the command line nor the environment has one.
  package let defaultValue: String?
  /// What the value completes to, and, for choices, the only values accepted.
  package let values: ValueHint
  /// A hidden option works, but is not shown.
  package let isHidden: Bool
  /// Why the option is refused on the command line, and what to write instead; such an option has its value from the
  /// environment only.
  package let refusal: String?

  private init(
    _ name: String, _ short: Character?, _ kind: Kind, _ summary: String, isRepeatable: Bool, environment: String?,
    defaultValue: String?, values: ValueHint, isHidden: Bool, refusal: String? = nil
  ) {
    self.name = name
    self.short = short
    self.kind = kind
    self.summary = summary
    self.isRepeatable = isRepeatable
    self.environment = environment
    self.defaultValue = defaultValue
    self.values = values
    self.isHidden = isHidden
    self.refusal = refusal
  }

  /// An option without a value.
  package static func flag(
    _ name: String, short: Character? = nil, _ summary: String, isHidden: Bool = false
  ) -> CommandOption {
    CommandOption(
      name, short, .flag, summary, isRepeatable: true, environment: nil, defaultValue: nil, values: .anything,
      isHidden: isHidden)
  }

  /// An option with a value.
  ///
  /// - Parameter value: the value's name in help, for example `DIR`.
  package static func value(
    _ name: String, short: Character? = nil, _ value: String, _ summary: String, isRepeatable: Bool = false,
    environment: String? = nil, default defaultValue: String? = nil, values: ValueHint = .anything,
    isHidden: Bool = false
  ) -> CommandOption {
    CommandOption(
      name, short, .value(value), summary, isRepeatable: isRepeatable, environment: environment,
      defaultValue: defaultValue, values: values, isHidden: isHidden)
  }

  /// The options that a secret comes with: `--NAME-file` and `--NAME-fd`, and the environment variable. On the command line
  /// itself every user of the machine could read it, and there it is refused.
  ///
  /// - Parameters:
  ///   - name: the long name, for example `token`.
  ///   - summary: what the secret is, one sentence without a final stop.
  ///   - environment: the variable.
  package static func secret(_ name: String, _ summary: String, environment: String) -> [CommandOption] {
    [
      .value(
        "\(name)-file", "FILE", "\(summary): a file that holds it; else the variable \(environment)", values: .file),
      .value("\(name)-fd", "N", "\(summary): the number of a descriptor that it can be read from"),
      CommandOption(
        name, nil, .value("TEXT"), summary, isRepeatable: false, environment: environment, defaultValue: nil,
        values: .anything, isHidden: true,
        refusal: "Use --\(name)-file FILE, --\(name)-fd N, or the variable \(environment)."),
    ]
  }

  /// Whether a value follows the name.
  package var takesValue: Bool { kind != .flag }

  /// The option as a usage line shows it: `-p, --point POINT`.
  package var label: String {
    let long = if case .value(let value) = kind { "--\(name) \(value)" } else { "--\(name)" }
    return short.map { "-\($0), \(long)" } ?? "    \(long)"
  }
}

/// The options that every level of the tool accepts.
extension CommandOption {
  /// The option `--json`.
  package static let json = flag("json", "Print one JSON document (or one per line) and nothing else")
  /// The option `--home DIR`.
  package static let home = value(
    "home", "DIR", "The folder where state is kept", environment: "ANNEX_HOME", values: .directory)
  /// The option `--manifests DIR`, which may be repeated.
  package static let manifests = value(
    "manifests", "DIR", "Add a folder of manifests, or a bundle", isRepeatable: true, values: .directory)
  /// The option `--quiet`.
  package static let quiet = flag("quiet", short: "q", "Leave out notes and progress")
  /// The option `--verbose`.
  package static let verbose = flag("verbose", "Say more about what happens")
  /// Handled by the parser: see ``ParsedCommand/Request``.
  package static let help = flag("help", short: "h", "Show help for a command")
  /// Handled by the parser: see ``ParsedCommand/Request``.
  package static let version = flag("version", "Show the version")

  /// The options for a root command. `--help` and `--version` are not among them: the parser adds them itself.
  package static let standard: [CommandOption] = [.json, .home, .manifests, .quiet, .verbose]
}
