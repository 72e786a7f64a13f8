package import CommandLineTool
import ExtensionHosting
import ExtensionProtocol

extension CommandOption {
  /// `--consent ask|grant|deny`, for every command that runs extensions.
  package static let consent = value(
    "consent", "HOW", "What becomes of permissions that are undecided", environment: "ANNEX_CONSENT", default: "ask",
    values: .choices(["ask", "grant", "deny"]))
}

extension Invocation {
  /// What the user allows extensions, with a way to ask where there is a terminal.
  func permissions(_ state: StateDirectory) -> PermissionAuthority {
    PermissionAuthority(state: state, consent: consent, log: ConsoleLog(console))
  }

  private var consent: Consent {
    switch parsed.value("consent") {
    case "grant": .grant
    case "deny": .deny
    default: .ask(TerminalQuestion.asker(console, loop: loop))
    }
  }
}
