import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import Files
import Glibc

/// The program with the commands that need servers, clients or databases. It takes the place of this one in the process,
/// with the same command line, name included.
///
/// It has every command: help, completions and manual pages come from it, and a process that it starts again by
/// `/proc/self/exe` can do all that it can.
struct SecondProgram {
  static let name = "host-services"

  /// The file of this process's program, without links.
  var own: String? = File.resolved("/proc/self/exe")

  /// Where it is looked for, in this order: beside this program, then where an installation has it.
  private var places: [String] {
    guard let folder = own.map({ Folder.parent(of: $0) }) else { return ["/usr/libexec/annex/\(Self.name)"] }
    return ["\(folder)/\(Self.name)", "\(folder)/../libexec/annex/\(Self.name)"]
  }

  /// Returns the path of the program.
  ///
  /// - Throws: `serviceUnavailable` when there is none, or another user could have changed it.
  func find() throws(ExtensionError) -> String {
    guard let place = places.first(where: { access($0, F_OK) == 0 }) else {
      let isOfBuild = Installation.developmentPackage != nil
      throw ExtensionError(
        .serviceUnavailable,
        "This command needs the program \(Self.name), and there is neither \(places.joined(separator: " nor ")).",
        recovery: isOfBuild
          ? "Run “swift build --product \(Self.name)” in the package, with the options that made this program."
          : "Install annex again: its package has both programs.")
    }
    let path = File.resolved(place) ?? place
    guard let status = FileStatus(path, followsLink: true), status.kind == .regular, access(path, X_OK) == 0 else {
      throw ExtensionError(
        .serviceUnavailable, "\(path) cannot be executed.", recovery: "Install annex again, or run “chmod 755 \(path)”."
      )
    }
    try check(status, at: path)
    return path
  }

  /// The program must be no easier to change for other users than this one.
  private func check(_ status: FileStatus, at path: String) throws(ExtensionError) {
    let ownStatus = own.flatMap { FileStatus($0) }
    let owners = Set([0, geteuid(), getuid()] + (ownStatus.map { [$0.owner] } ?? []))
    guard owners.contains(status.owner) else {
      throw ExtensionError(
        .serviceUnavailable, "\(path) belongs to the user \(status.owner), who is neither you nor root.",
        recovery: "Install annex again, or run “sudo chown root \(path)” if you trust the file.")
    }
    let isShared = status.isWritableByOthers && !(ownStatus?.isWritableByOthers ?? false)
    guard !isShared, status.mode & 0o002 == 0 else {
      throw ExtensionError(
        .serviceUnavailable, "Other users can write to \(path).", recovery: "Run “chmod go-w \(path)”.")
    }
  }

  /// Executes the program. Returns only when it cannot be executed, after it has said so.
  ///
  /// - Parameter json: whether the error goes to standard output as JSON.
  func takeOver(json: Bool) -> ExitStatus {
    let error: ExtensionError
    do throws(ExtensionError) {
      let path = try find()
      execv(path, CommandLine.unsafeArgv)
      error = ExtensionError(
        .serviceUnavailable, "Cannot execute \(path): \(SystemError.last).", recovery: "Install annex again.")
    } catch let failure {
      error = failure
    }
    return Self.report(error, json: json, on: Console.standard(verbosity: .normal, environment: [:]))
  }

  /// Says why the program cannot be executed.
  static func report(_ error: ExtensionError, json: Bool, on console: Console) -> ExitStatus {
    let failure = Failure(error)
    if json {
      console.print(json: failure.json)
    } else {
      console.fail("\(error.message)", help: error.recovery.map { "\($0)" })
    }
    return failure.status
  }
}
