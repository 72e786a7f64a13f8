import Glibc

/// The name of a signal, for people.
package enum SignalName {
  private static let names: [Int32: String] = [
    SIGABRT: "SIGABRT (abort)", SIGBUS: "SIGBUS (bad memory access)", SIGFPE: "SIGFPE (arithmetic)",
    SIGILL: "SIGILL (trap)", SIGKILL: "SIGKILL (killed)", SIGSEGV: "SIGSEGV (bad memory access)",
    SIGSYS: "SIGSYS (forbidden system call)", SIGTERM: "SIGTERM (terminated)", SIGTRAP: "SIGTRAP (trap)",
    SIGXCPU: "SIGXCPU (processor time limit)", SIGXFSZ: "SIGXFSZ (file size limit)", SIGPIPE: "SIGPIPE (broken pipe)",
  ]

  package static func of(_ signal: Int32) -> String { names[signal] ?? "signal \(signal)" }
}
