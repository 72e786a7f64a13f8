import CLinux
import Files
import Glibc

/// The program that confines an extension before the extension's first instruction: a file, or the copy that this library
/// has in it.
package struct Launcher: Sendable, Hashable {
  private enum Place: Hashable {
    case file(String)
    /// A descriptor of this process, of a sealed file in memory.
    case memory(Int32)
  }

  /// What the program is called.
  package static let name = "extension-launcher"

  private let place: Place

  /// A launcher in a file.
  ///
  /// - Parameter path: absolute.
  package init(path: String) { place = .file(path) }

  private init(memory descriptor: Int32) { place = .memory(descriptor) }

  /// The launcher that this library has in it, ready to be executed.
  ///
  /// It is a sealed file in memory, which is made once for each process and which no other program can change. A kernel
  /// may refuse to execute such a file (`vm.memfd_noexec`, a security module, no `/proc`); then it is a file in a folder.
  ///
  /// - Parameter folder: returns the absolute path of a folder that only this user can write to; asked only when it is
  ///   needed.
  /// - Throws: `sandboxUnavailable` when there is none for this processor, or when it can be executed nowhere.
  package static func embedded(
    orIn folder: () throws(SandboxError) -> String
  ) throws(SandboxError) -> Launcher {
    if let inMemory { return Launcher(memory: inMemory) }
    return Launcher(path: try written(to: try folder()))
  }

  /// What this process passes to `execve`. That of a file in memory means nothing to another process.
  package var path: String {
    switch place {
    case .file(let path): path
    case .memory(let descriptor): "/proc/self/fd/\(descriptor)"
    }
  }

  /// The path of the file; `nil` for the copy in memory.
  package var file: String? { if case .file(let path) = place { path } else { nil } }

  /// What the process list shows.
  var firstArgument: String { file ?? Self.name }

  // MARK: - The copy in this library

  /// Enough for a program of this kind.
  private static let sizeLimit = 16 << 20

  /// The descriptor; `nil` when this kernel does not execute files in memory, or when there is nothing to execute.
  private static let inMemory: Int32? = {
    guard let program = embeddedProgram, let descriptor = descriptor(with: program) else { return nil }
    guard unsafe access("/proc/self/fd/\(descriptor)", X_OK) == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }()

  private static func descriptor(with program: [UInt8]) -> Int32? {
    var descriptor: Int32 = -1
    let error = unsafe program.withUnsafeBytes {
      unsafe clinux_sealed_program(Self.name, $0.baseAddress, $0.count, &descriptor)
    }
    return error == 0 ? descriptor : nil
  }

  /// The bytes of the program; `nil` in a build for another processor than that of the machine that built.
  static var embeddedProgram: [UInt8]? {
    let text = EmbeddedLauncher.text
    guard text.utf8CodeUnitCount > 0 else { return nil }
    defer { unsafe clinux_forget_constants(text.utf8Start, text.utf8CodeUnitCount) }
    return unsafe [UInt8](unsafeUninitializedCapacity: text.utf8CodeUnitCount) { buffer, count in
      count = unsafe clinux_base64(text.utf8Start, text.utf8CodeUnitCount, buffer.baseAddress)
    }
  }

  /// Writes the program to a folder, unless it is there.
  static func written(to folder: String) throws(SandboxError) -> String {
    guard let program = embeddedProgram else {
      throw SandboxError(
        .sandboxUnavailable,
        "This program was built for another processor than that of the machine that built it, and has no launcher in it.",
        recovery: "Build \(Self.name) for this machine, and name it with ANNEX_LAUNCHER.")
    }
    let path = "\(folder)/\(Self.name)"
    if (try? File.read(path, limit: sizeLimit, followsLink: false)) != program {
      do {
        try File.replace(path, with: program)
      } catch {
        throw SandboxError(
          .sandboxUnavailable, "The launcher cannot be written to \(path). \(error.message)",
          recovery: "Make room there, or name an installed launcher with ANNEX_LAUNCHER.")
      }
    }
    guard unsafe access(path, X_OK) == 0 || chmod(path, 0o755) == 0 && access(path, X_OK) == 0 else {
      throw SandboxError(
        .sandboxUnavailable,
        "The launcher can be executed neither from memory (vm.memfd_noexec) nor as \(path): \(SystemError.last).",
        recovery: "Name an installed launcher with ANNEX_LAUNCHER, or mount that folder without noexec.")
    }
    return path
  }
}
