/// Where the launcher is: beside the program that runs, which is how it is built and installed.
package enum LauncherLocation {
  package static let name = "extension-launcher"

  /// The absolute path of the launcher beside the running program.
  ///
  /// - Throws: `sandboxUnavailable` when there is none.
  package static func besideThisProgram() throws(SandboxError) -> String {
    let program = FileSystem.linkTarget(of: "/proc/self/exe") ?? ""
    let directory = program.lastIndex(of: "/").map { String(program[..<$0]) } ?? ""
    let path = "\(directory)/\(name)"
    guard FileSystem.status(of: path)?.kind == .regular else {
      throw SandboxError(
        .sandboxUnavailable, "The launcher \(path) does not exist.",
        recovery: "Build or install the host again, with its launcher beside it.")
    }
    return path
  }
}
