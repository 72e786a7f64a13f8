import Files
import Glibc

/// A language that `host new` writes extensions in.
package enum ProjectLanguage: String, Sendable, CaseIterable {
  case swift, python, node

  /// The folder of the templates.
  var templates: String { "Templates/\(rawValue)" }

  /// The folder of the client in `Clients`, and where it goes in the extension's bundle; `nil` where a package is used.
  var client: (folder: String, place: String)? {
    switch self {
    case .swift: nil
    case .python: ("Clients/Python/annex", "annex")
    case .node: ("Clients/Node/annex", "annex")
    }
  }

  /// The script of an extension and of an app; `nil` where they are programs of their own names.
  var scripts: (extension: String, app: String)? {
    switch self {
    case .swift: nil
    case .python: ("main.py", "app.py")
    case .node: ("main.mjs", "app.mjs")
    }
  }

  /// The program that runs scripts, with what it is told before the script.
  package var interpreter: (program: String, arguments: [String])? {
    switch self {
    case .swift: nil
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
