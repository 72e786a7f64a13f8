import CLinux
import Files
import Glibc

extension LaunchPlan {
  /// 256 KiB: past the share of pipe memory of an ordinary user only with more than a hundred extensions.
  private static let pipeCapacity: Int32 = 256 << 10

  /// Starts the process. Returns as soon as it exists: whether the sandbox could be set up comes through `control`, or
  /// shows in the extension's first answer. The host ignores SIGPIPE before it writes to an extension.
  ///
  /// - Throws: `system` when the host lacks descriptors, processes or memory, `controlGroupUnusable` when the process
  ///   cannot enter the group of the plan; nothing is left behind.
  package func spawn() throws(SandboxError) -> SandboxedProcess {
    let input = try Pipe(host: .writing, capacity: Self.pipeCapacity)
    let output = try Pipe(host: .reading, capacity: Self.pipeCapacity)
    let error = try Pipe(host: .reading)
    let standard = [input.readEnd.number, output.writeEnd.number, error.writeEnd.number]
    switch mode {
    case .sandboxed(let bytes):
      let control = try Channel()
      let policy = try Self.sealedFile(bytes)
      let descriptors = standard + [policy.number, control.childEnd.number]
      let child = try start(descriptors: descriptors, environment: [])
      let process = SandboxedProcess(
        pid: child.pid, pidfd: child.pidfd, standardInput: input.writer(), standardOutput: output.reader(),
        standardError: error.reader(), control: control.host())
      try admit(process)
      return process
    case .unsandboxed(let environment):
      let child = try start(descriptors: standard, environment: environment)
      return SandboxedProcess(
        pid: child.pid, pidfd: child.pidfd, standardInput: input.writer(), standardOutput: output.reader(),
        standardError: error.reader(), control: -1)
    }
  }

  /// Moves the launcher, which waits for this, into its control group.
  private func admit(_ process: SandboxedProcess) throws(SandboxError) {
    guard let group else { return }
    do throws(SandboxError) {
      try group.admit(process.pid)
      guard unsafe write(process.control, [1], 1) == 1 else { throw SandboxError.system("admitting", errno) }
    } catch {
      try? process.signal(SIGKILL)
      _ = try? process.waitUntilExit()
      process.close()
      throw error
    }
  }

  private static func sealedFile(_ bytes: [UInt8]) throws(SandboxError) -> Descriptor {
    var file: Int32 = -1
    let error = unsafe bytes.withUnsafeBytes {
      unsafe clinux_sealed_file("launch-policy", $0.baseAddress, $0.count, &file)
    }
    guard error == 0 else { throw .system("memfd_create", error) }
    return Descriptor(file)
  }

  /// The descriptors become 0, 1, 2, … of the child.
  private func start(descriptors: [Int32], environment: [String]) throws(SandboxError) -> (pid: Int32, pidfd: Int32) {
    let map = descriptors.enumerated().map { clinux_descriptor(source: $0.element, target: Int32($0.offset)) }
    var pid: Int32 = 0
    var pidfd: Int32 = -1
    let arguments = CStrings([firstArgument] + command.dropFirst())
    let variables = CStrings(environment)
    let error = unsafe clinux_spawn(command[0], arguments.pointers, variables.pointers, map, map.count, &pid, &pidfd)
    guard error == 0 else { throw .system("starting \(firstArgument)", error) }
    return (pid, pidfd)
  }
}
