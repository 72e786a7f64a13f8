import CLinux
import Files

/// A program that is started with exactly the descriptors that it is given.
struct LaunchCommand: Sendable, Hashable {
  /// The path of the program that is started.
  let program: String
  /// What the program is told that it is called, which is what the process list shows, and its arguments.
  var arguments: [String]

  /// Starts the program. The descriptors become 0, 1, 2, … of the child.
  ///
  /// - Throws: `system`.
  func start(
    descriptors: [Int32], environment: [String] = []
  ) throws(SandboxError) -> (pid: Int32, pidfd: Int32) {
    let map = descriptors.enumerated().map { clinux_descriptor(source: $0.element, target: Int32($0.offset)) }
    var pid: Int32 = 0
    var pidfd: Int32 = -1
    let arguments = CStrings(arguments)
    let variables = CStrings(environment)
    let error = unsafe clinux_spawn(program, arguments.pointers, variables.pointers, map, map.count, &pid, &pidfd)
    guard error == 0 else { throw .system("starting \(self.arguments[0])", error) }
    return (pid, pidfd)
  }
}

extension LaunchCommand {
  /// A launcher, through a wrapper where there is one.
  init(_ launcher: Launcher, wrapper: [String] = []) {
    program = wrapper.first ?? launcher.path
    arguments = wrapper.isEmpty ? [launcher.firstArgument] : wrapper + [launcher.path]
  }
}
