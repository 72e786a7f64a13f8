import Sandbox

extension Attempt {
  static let execution = [
    Attempt("execution/programs", "Start a shell, the loader, a setuid program, a script", needs: .execOnce) {
      [$0.folder.script]
    },
    Attempt("execution/again", "Start itself, a copy, or a program in memory", needs: .execOnce) {
      [$0.folder.program]
    },
    Attempt("execution/race", "Start a program from many threads at once", needs: .execOnce) {
      [$0.folder.program]
    },
    Attempt("execution/processes", "Make processes; threads must work"),
    Attempt("execution/code", "Run code that was written to memory", needs: .noGeneratedCode),
    Attempt("execution/downloaded", "Run code that was written to the container", tiers: ownRoot),
    Attempt(
      "execution/stack", "Have the kernel make its stack executable", needs: .noGeneratedCode,
      program: .executableStack),
    Attempt(
      "execution/segment", "Have the kernel map its code writable", needs: .noGeneratedCode, program: .writableCode),
    Attempt(
      "execution/tail", "Have the kernel add writable memory to its code", needs: .noGeneratedCode,
      program: .codeBeyondTheFile),
  ]

  static let privilege = [
    Attempt("privilege/ids", "Find privileges left, or take more") { [$0.isBounded ? "bounded" : "unbounded"] },
    Attempt("privilege/namespaces", "Make namespaces"),
    Attempt("privilege/shared", "Find a namespace of the host around itself", tiers: ownRoot) { $0.namespaces },
    Attempt("privilege/mounts", "Mount and unmount"),
    Attempt("privilege/kernel", "Use bpf, perf, userfaultfd, keys, modules, clocks and others"),
    Attempt("privilege/limits", "Raise limits, lock memory, take real-time priority"),
    Attempt("privilege/foreign", "Make calls of a 32-bit program", end: .signalled(number: 31)),
    Attempt("privilege/foreign", "Make calls of the x32 kind", end: .signalled(number: 31)) { _ in ["x32"] },
    Attempt("privilege/upper", "Hide arguments in their upper halves"),
    Attempt("privilege/calls", "Make every system call there is, without arguments") { _ in
      [SystemCallList.allowed.map { "\($0)" }.joined(separator: ",")]
    },
  ]
}
