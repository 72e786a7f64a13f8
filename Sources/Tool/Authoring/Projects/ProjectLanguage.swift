import Files
import Glibc

/// A language that `host new` writes extensions in.
package enum ProjectLanguage: String, Sendable, CaseIterable {
  case swift, python, node
  /// Without a client: the templates speak the protocol by hand.
  case bash, c, go

  /// Whether a `Makefile` builds the extension into its bundle.
  package var isMade: Bool { self == .c || self == .go }

  /// The folder of the templates.
  var templates: String { "Templates/\(rawValue)" }

  /// The folder of the client in `Clients`, and where it goes in the extension's bundle; `nil` where a package is used.
  var client: (folder: String, place: String)? {
    switch self {
    case .swift, .bash, .c, .go: nil
    case .python: ("Clients/Python/annex", "annex")
    case .node: ("Clients/Node/annex", "annex")
    }
  }

  /// The script of an extension and of an app; `nil` where they are programs of their own names. An app without a
  /// program has none.
  var scripts: (extension: String, app: String?)? {
    switch self {
    case .swift, .c, .go: nil
    case .python: ("main.py", "app.py")
    case .node: ("main.mjs", "app.mjs")
    case .bash: ("main.sh", nil)
    }
  }

  /// The program that runs scripts, with what it is told before the script.
  package var interpreter: (program: String, arguments: [String])? {
    switch self {
    case .swift, .c, .go: nil
    case .bash: (Self.program("bash"), [])
    case .python: (Self.program("python3"), ["-u"])
    // The sandbox forbids code that is made while the program runs.
    case .node: (Self.program("node"), ["--jitless", "--no-expose-wasm"])
    }
  }

  /// Where a program is: with the system's before those that a user put before it on the path, which are often scripts
  /// themselves and start the real one.
  private static func program(_ name: String) -> String {
    let standard = ["/usr/bin/\(name)", "/usr/local/bin/\(name)"]
    return standard.first { FileStatus($0, followsLink: true)?.isExecutable == true } ?? standard[0]
  }
}
