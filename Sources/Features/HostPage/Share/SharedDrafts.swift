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
    /// How often it was run.
    var runs = 0

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

  /// Keeps what a run came to, in place of what the run before came to.
  ///
  /// - Returns: the number of the run.
  @discardableResult
  func keep(_ results: [Result], of key: String) -> Int {
    entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return 0 }
      entries[index].results = results
      entries[index].runs += 1
      let run = entries[index].runs
      Self.makeRoom(in: &entries)
      return run
    }
  }

  /// - Parameter run: the number of the run; another page may have run the draft since.
  func result(_ index: Int, of key: String, run: Int) -> Result? {
    entries.withLock { entries in
      guard let entry = entries.first(where: { $0.key == key }), entry.runs == run,
        entry.results.indices.contains(index)
      else { return nil }
      return entry.results[index]
    }
  }
}
