import Text

/// Interpreters that run machine code which they make of a script, and how they are told not to.
///
/// Where nobody has allowed that, the sandbox refuses it, and they end with a fault at their first line.
package enum GeneratingInterpreter {
  /// By the names of their programs; empty for those that cannot do without.
  private static let arguments = [
    "node": "--jitless", "nodejs": "--jitless", "deno": "--v8-flags=--jitless", "bun": "", "luajit": "-joff",
  ]

  /// Returns why an interpreter cannot run in a sandbox without the permission to generate code; `nil` when it can,
  /// judged by its name.
  ///
  /// - Parameters:
  ///   - interpreter: the path of the interpreter.
  ///   - given: the arguments before the script.
  package static func fault(of interpreter: String, arguments given: [String]) -> (message: String, recovery: String)? {
    let name = interpreter.pathParts().last.map(String.init) ?? interpreter
    guard let argument = arguments[name] else { return nil }
    if !argument.isEmpty, given.contains(argument) { return nil }
    let permission = "ask for the permission: “jit” in Annex.Entitlements"
    return (
      "\(name) runs machine code that it makes while it runs, which the sandbox refuses.",
      argument.isEmpty
        ? "Name another interpreter, or \(permission)."
        : "Add “\(argument)” to Annex.InterpreterArguments, or \(permission)."
    )
  }
}
