import Cryptography
import Synchronization

/// What users hand over, and what extensions returned of it, between two pages: in memory, the last few.
final class SharedDrafts: Sendable {
  /// What an extension returned.
  struct Result: Sendable {
    let name: String
    let bytes: [UInt8]
    /// Whether it can be shown as text.
    let text: String?
  }

  private struct Entry {
    let key: String
    let draft: SharedDraft
    var results: [Result] = []

    var size: Int { draft.size + results.reduce(0) { $0 + $1.bytes.count } }
  }

  private static let (most, mostBytes) = (8, 128 << 20)
  private let entries = Mutex<[Entry]>([])

  /// Keeps a draft; older ones give way.
  ///
  /// - Returns: its key, which nobody can guess.
  func add(_ draft: SharedDraft) -> String {
    let key = Hexadecimal.text(for: SecureRandom.bytes(16))
    entries.withLock { entries in
      entries = entries.suffix(Self.most - 1) + [Entry(key: key, draft: draft)]
      Self.makeRoom(in: &entries)
    }
    return key
  }

  private static func makeRoom(in entries: inout [Entry]) {
    while entries.count > 1, entries.reduce(0, { $0 + $1.size }) > mostBytes { entries.removeFirst() }
  }

  func draft(_ key: String) -> SharedDraft? { entries.withLock { $0.first { $0.key == key }?.draft } }

  func keep(_ results: [Result], of key: String) {
    entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
      entries[index].results = results
      Self.makeRoom(in: &entries)
    }
  }

  func result(_ index: Int, of key: String) -> Result? {
    entries.withLock { entries in
      guard let entry = entries.first(where: { $0.key == key }), entry.results.indices.contains(index) else {
        return nil
      }
      return entry.results[index]
    }
  }
}
