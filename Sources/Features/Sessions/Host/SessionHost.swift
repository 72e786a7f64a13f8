import Glibc
import Sandbox
import Text
import Time

/// The process of a host, as the leases of sessions name it: distinguished from others on this machine and on others.
struct SessionHost: Equatable {
  /// The machine, one start of it, and the namespace in which it counts processes.
  private let place: String
  private let process: ProcessIdentity
  private let number: String

  /// This process.
  static let current = SessionHost(
    place: here, process: .current, number: String(UInt64.random(in: 0 ... .max), radix: 36))

  private init(place: String, process: ProcessIdentity, number: String) {
    (self.place, self.process, self.number) = (place, process, number)
  }

  /// The host in the name of an owner; `nil` for what another version wrote.
  init?(_ owner: String) {
    let parts = owner.pathParts(keepsEmpty: true)
    guard parts.count >= 5, let process = ProcessIdentity(parts[3]) else { return nil }
    self.init(place: parts[..<3].joined(separator: "/"), process: process, number: String(parts[4]))
  }

  var text: String { "\(place)/\(process.text)/\(number)" }

  /// Whether it is certain that the process has ended: it ran here, under this start of the machine.
  var hasEnded: Bool { place == Self.here && place != Self.nowhere && !process.isAlive }

  private static let nowhere = "//"

  /// Empty where the kernel does not say it: nothing is certain then.
  private static let here: String = {
    var namespace = stat()
    let boot = BootClock.system.boot
    guard stat("/proc/self/ns/pid", &namespace) == 0, !boot.isEmpty else { return nowhere }
    return "\(Machine.name.filter { $0 != "/" })/\(boot)/\(namespace.st_ino)"
  }()

  /// The name of a process that ran here, as tests need it.
  static func text(of process: ProcessIdentity) -> String {
    SessionHost(place: here, process: process, number: "0").text
  }
}
