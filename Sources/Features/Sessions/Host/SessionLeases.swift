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
    let owner = OwnerID("\(SessionHost.current.text)/\(instance)")
    do {
      if let lease = try await store.acquire(Self.name(key), owner: owner, for: Self.length) { return lease }
      // Whose process has ended on this machine renews nothing any more.
      guard let held = try await store.holder(of: Self.name(key)).lease, SessionHost(held.owner.name)?.hasEnded == true
      else { return nil }
      try await store.release(held)
      return try await store.acquire(Self.name(key), owner: owner, for: Self.length)
    } catch {
      throw ExtensionError(wrapping: error)
    }
  }

  private static func name(_ key: SessionKey) -> String { "session/\(key.app)/\(key.identifier)" }

  /// The store in which the leases lie.
  func place() async throws(ExtensionError) -> String {
    do { return try await store.identity().text } catch { throw ExtensionError(wrapping: error) }
  }

  /// Looks in the store whether a lease is held, and lets it last from now on.
  ///
  /// - Throws: `disconnected` when it is not, `unavailable` when the store cannot be asked.
  func confirm(_ lease: Lease, of key: SessionKey) async throws(TransferError) {
    let isHeld: Bool
    do {
      isHeld = try await store.renew(lease, for: Self.length)
    } catch {
      let error = ExtensionError(wrapping: error)
      throw .unavailable(error.message, recovery: error.recovery ?? "Try again.", isRetryable: true)
    }
    guard isHeld else { throw .disconnected(key) }
  }

  /// Whether somebody has a session under a later lease than the one under which the journal gave it away.
  func isOvertaken(_ session: SessionRecord) async throws -> Bool {
    let holder = try await store.holder(of: Self.name(session.key))
    guard let lease = holder.lease, holder.store.text == session.store else { return false }
    return lease.token > session.token
  }

  /// Opens a session in the journal. Where an app has as many as it may, one goes that has no tasks and that nobody has.
  ///
  /// - Throws: what ``TransferJournal/open(_:)`` throws.
  func open(_ record: SessionRecord, in journal: TransferJournal) async throws(TransferError) -> SessionRecord {
    do throws(TransferError) {
      return try await journal.open(record)
    } catch {
      guard case .quota = error, await forgetUnused(of: record.key.app, in: journal) else { throw error }
      return try await journal.open(record)
    }
  }

  /// No process has this number: what it takes is nobody's.
  private static let nobody = UInt64.max

  private func forgetUnused(of app: String, in journal: TransferJournal) async -> Bool {
    guard let empty = try? await journal.emptySessions(of: app) else { return false }
    for key in empty {
      guard let lease = try? await take(key, for: Self.nobody) else { continue }
      let isGone = (try? await journal.remove(key, ifEmpty: true)) ?? false
      await giveBack(lease)
      if isGone { return true }
    }
    return false
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
