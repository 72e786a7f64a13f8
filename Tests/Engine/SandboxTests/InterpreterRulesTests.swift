import Glibc
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `The interpreter of a script` {
  private let directory = TemporaryDirectory()

  /// What is wrong with an interpreter outside of the bundle in which its script is; nil for nothing.
  private func fault(_ change: (inout SandboxPolicy) -> Void) -> String? {
    var policy = SandboxPolicy(
      executable: directory.file("interpreter", ELFSample().bytes), scratch: directory.path, userID: 1, groupID: 1)
    policy.bundle = directory.directory("bundle")
    policy.script = directory.file("bundle/script", Array("print(1)".utf8), mode: 0o644)
    change(&policy)
    do throws(SandboxError) {
      try policy.validateProgram(host: HostIdentity(userID: geteuid(), groupID: getegid()))
      return nil
    } catch {
      #expect(error.code == .bundleInvalid && error.recovery.hasSuffix("."))
      return error.message
    }
  }

  @Test func `is none that an extension may have written`() {
    let state = directory.directory("state")
    let written = directory.file("state/interpreter", ELFSample().bytes)
    #expect(fault { $0.protectedPaths = ["/nonexistent", state] } == nil)
    #expect(
      fault {
        $0.protectedPaths = ["/nonexistent", state]
        $0.executable = written
      } == "The interpreter \(written) lies in \(state), where extensions write.")
    // One in the bundle is the bundle's, wherever that is.
    #expect(
      fault {
        $0.protectedPaths = [state]
        $0.bundle = directory.directory("state/bundle")
        $0.script = directory.file("state/bundle/script", [])
        $0.executable = directory.file("state/bundle/interpreter", ELFSample().bytes)
      } == nil)
  }

  @Test func `is reached through nothing that others may exchange`() {
    let open = directory.directory("open", mode: 0o777)
    let link = directory.link("open/python", to: "../interpreter")
    #expect(fault { $0.name = directory.link("python", to: "interpreter") } == nil)
    #expect(
      fault { $0.name = link }
        == "The interpreter \(open) can be exchanged by other users, through \(open): its mode is 777.")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, who gives extensions other users"))
  func `may be executed by the extension's user`() {
    for (mode, isExecuted) in [(0o751, true), (0o755, true), (0o754, false), (0o750, false)] as [(mode_t, Bool)] {
      let message = fault { $0.executable = directory.file("interpreter", ELFSample().bytes, mode: mode) }
      let refusal = "The interpreter \(directory.path)/interpreter cannot be executed by the extension's user."
      #expect(message == (isExecuted ? nil : refusal))
    }
  }

  @Test(arguments: [
    ("#!/bin/sh\n", "is itself a script, and a sandbox starts one program only."),
    ("hello", "is not a program for this machine."), ("", "is not a program for this machine."),
  ])
  func `is a program`(text: String, words: String) {
    let message = fault { $0.executable = directory.file("interpreter", Array(text.utf8)) }
    #expect(message?.hasPrefix("The interpreter \(directory.path)/interpreter \(words)") == true, "\(message ?? "")")
  }

  @Test(arguments: [0o644, 0o666, 0o664, 0o4755, 0o2755] as [mode_t])
  func `has to have the mode of a program, and its script that of a file`(mode: mode_t) {
    let program = fault { $0.executable = directory.file("interpreter", ELFSample().bytes, mode: mode) }
    #expect(program?.hasPrefix("\(directory.path)/interpreter ") == true)
    let script = fault { $0.script = directory.file("bundle/script", [], mode: mode) }
    #expect((script?.hasPrefix("\(directory.path)/bundle/script ") ?? false) == (mode != 0o644))
  }

  @Test func `runs a script of its bundle, and no other file`() {
    let outside = directory.file("outside", [])
    #expect(fault { $0.script = outside } == "\(outside) is not inside its bundle \(directory.path)/bundle.")
    #expect(fault { $0.script = directory.path + "/bundle" }?.contains("is not inside its bundle") == true)
    #expect(fault { $0.script = directory.link("bundle/link", to: outside) }?.contains("symbolic link") == true)
    #expect(fault { $0.script = directory.directory("bundle/folder") }?.contains("is not a regular file") == true)
  }

  /// The sandbox starts the interpreter, whatever its name is equal to.
  @Test func `is looked at also where its name is another spelling of the script's`() {
    for (mode, isFine) in [(0o755, true), (0o644, false), (0o4755, false), (0o775, false)] as [(mode_t, Bool)] {
      let message = fault {
        $0.script = directory.file("bundle/\u{E9}", [], mode: 0o644)
        $0.executable = directory.file("bundle/e\u{301}", ELFSample().bytes, mode: mode)
      }
      #expect((message == nil) == isFine, "\(String(mode, radix: 8))")
    }
  }
}
