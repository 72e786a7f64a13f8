import CLinux
import Files
import Glibc

extension LaunchPlan {
  /// 256 KiB: past the share of pipe memory of an ordinary user only with more than a hundred extensions.
  private static let pipeCapacity: Int32 = 256 << 10

  /// Starts the process. Returns as soon as it exists: whether the sandbox could be set up comes through `control`, or
  /// shows in the extension's first answer. The host ignores SIGPIPE before it writes to an extension.
  ///
  /// - Parameter standby: a launcher that takes the policy if it is of the plan's kind and still there; else it is ended.
  /// - Throws: `system` when the host lacks descriptors, processes or memory, `controlGroupUnusable` when the process
  ///   cannot enter the group of the plan; nothing is left behind.
  package func spawn(with standby: consuming StandbyLauncher? = nil) throws(SandboxError) -> SandboxedProcess {
    let input = try Pipe(host: .writing, capacity: Self.pipeCapacity)
    let output = try Pipe(host: .reading, capacity: Self.pipeCapacity)
    let error = try Pipe(host: .reading)
    let standard = [input.readEnd.number, output.writeEnd.number, error.writeEnd.number]
    switch mode {
    case .sandboxed(let bytes):
      let policy = try Self.sealedFile(bytes)
      let launcher = try start(descriptors: standard + [policy.number], with: standby)
      let process = SandboxedProcess(
        pid: launcher.pid, pidfd: launcher.pidfd, standardInput: input.writer(), standardOutput: output.reader(),
        standardError: error.reader(), control: launcher.control)
      try admit(process)
      return process
    case .unsandboxed(let environment):
      let child = try command.start(descriptors: standard, environment: environment)
      return SandboxedProcess(
        pid: child.pid, pidfd: child.pidfd, standardInput: input.writer(), standardOutput: output.reader(),
        standardError: error.reader(), control: -1)
    }
  }

  /// Has the launcher of a plan start, or a waiting one go on.
  ///
  /// - Parameter descriptors: become those below the control socket.
  private func start(
    descriptors: [Int32], with standby: consuming StandbyLauncher?
  ) throws(SandboxError) -> StandbyLauncher.Parts {
    switch consume standby {
    case .some(let standby):
      if standby.kind == standbyKind, let parts = standby.take(descriptors) { return parts }
    case .none: break
    }
    let control = try Channel()
    let child = try command.start(descriptors: descriptors + [control.childEnd.number])
    return StandbyLauncher.Parts(pid: child.pid, pidfd: child.pidfd, control: control.host())
  }

  /// Moves the launcher, which waits for this, into its control group.
  private func admit(_ process: SandboxedProcess) throws(SandboxError) {
    guard let group else { return }
    do throws(SandboxError) {
      try group.admit(process.pid)
      guard unsafe write(process.control, [1], 1) == 1 else { throw SandboxError.system("admitting", errno) }
    } catch {
      process.discard()
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
}
