import CLinux
import CommandLineTool
import CommandRuntime
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc

/// Opens an address in the user's browser.
///
/// Other users see the arguments of every process. So the browser is started with a file that only this user can read, and
/// that leads to the address.
struct Browser {
  private let invocation: Invocation
  private static let opener = "/usr/bin/xdg-open"

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// Whether there is a screen, and a user who looks at this command.
  private var isPossible: Bool {
    let environment = invocation.environment
    let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
    return hasScreen && !invocation.wantsJSON && invocation.console.errorTerminal.isTerminal
      && access(Self.opener, X_OK) == 0
  }

  /// Opens an address, which has only characters that need no escape in HTML; where it cannot, the printed address is all
  /// that there is.
  func open(_ address: String) {
    guard isPossible, let folder = try? invocation.state().folder("page") else { return }
    let file = "\(folder)/open.html"
    let text = "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url=\(address)\">\n"
    do {
      try File.replace(file, with: Array(text.utf8))
      try start(file)
    } catch {
      invocation.console.note("No browser was opened: \(ExtensionError(wrapping: error).message)")
    }
  }

  private func start(_ file: String) throws {
    let words: [String] = [Self.opener, file]
    var argv = words.map { strdup($0) } + [nil]
    var envp = invocation.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    let null = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    let map = (0..<3).map { clinux_descriptor(source: null, target: $0) }
    var pid: pid_t = 0
    var pidfd: Int32 = -1
    let failure = clinux_spawn(Self.opener, &argv, &envp, map, map.count, &pid, &pidfd)
    guard failure == 0 else {
      throw ExtensionError(.launchFailed, "Cannot run \(Self.opener): \(SystemError(failure)).")
    }
    let descriptor = pidfd
    invocation.background.add {
      // It ends as soon as the browser has the file.
      var (end, status): (Int32, Int32) = (0, 0)
      defer { close(descriptor) }
      while clinux_pidfd_reap(descriptor, 0, &end, &status) != 0, !Task.isCancelled {
        do { try await invocation.loop.sleep(for: .seconds(1)) } catch { return }
      }
    }
  }
}
