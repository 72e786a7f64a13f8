import EventLoop
import ExtensionProtocol
import Files
import Glibc
import GroupStore
import HostServices
import Transfers

/// The leases of sessions. The holder of a lease is the only user of the session on all machines that share the group
/// store.
struct SessionLeases: Sendable {
  /// How long a lease outlives a process that does not renew it.
  static let length = Duration.seconds(15)
  /// From one renewal to the next.
  static let pause = Duration.seconds(5)

  let store: SuiteStore

  /// Takes the lease of a session for one process; `nil` while another has it.
  ///
  /// - Parameter instance: distinguishes the processes of one host.
  func take(_ key: SessionKey, for instance: UInt64) async throws(ExtensionError) -> Lease? {
    do {
      return try await store.acquire(
        "session/\(key.app)/\(key.identifier)", owner: OwnerID("\(Self.host)/\(instance)"), for: Self.length)
    } catch {
      throw ExtensionError(wrapping: error)
    }
  }

  /// Gives a lease back; when that fails it ends by itself.
  func giveBack(_ lease: Lease) async { try? await store.release(lease) }

  /// Renews a lease until the task is cancelled, or the lease is lost: then it returns.
  func keep(_ lease: Lease, on loop: EventLoop) async {
    var end = ContinuousClock.now + Self.length
    while true {
      do { try await loop.sleep(for: Self.pause) } catch { return }
      // What the store grants counts from before it was asked.
      let asked = ContinuousClock.now
      do {
        guard try await store.renew(lease, for: Self.length) else { return }
        end = asked + Self.length
      } catch {
        if ContinuousClock.now + Self.pause > end { return }
      }
    }
  }

  /// Distinguishes this host from others, on this machine and on others.
  private static let host = "\(Machine.name)/\(getpid())/\(UInt64.random(in: 0 ... .max))"
}

/// Identifies this machine.
enum Machine {
  /// `/etc/machine-id`, or the name of the host where there is none.
  static let name: String = {
    let id = File.prefix(of: "/etc/machine-id", limit: 64).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let known = String(id.prefix { $0.isHexDigit })
    if !known.isEmpty { return known }
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()
}
