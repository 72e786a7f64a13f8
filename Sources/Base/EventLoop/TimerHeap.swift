/// The timers of a loop: a binary heap by time, and the actions by number. A cancelled timer leaves the heap when it is the
/// earliest one, or when such dead entries are the majority. So the earliest entry is always alive, and a loop that
/// asks before each wait needs no look at the actions.
struct TimerHeap {
  private struct Entry {
    let time: UInt64
    let id: UInt64
    /// Equal times fire in the order they were set.
    func precedes(_ other: Entry) -> Bool { time != other.time ? time < other.time : id < other.id }
  }

  private var heap: [Entry] = []
  private var actions: [UInt64: () -> Void] = [:]
  private var lastID: UInt64 = 0

  var isEmpty: Bool { actions.isEmpty }
  var count: Int { actions.count }

  mutating func add(at time: UInt64, _ action: @escaping () -> Void) -> UInt64 {
    lastID += 1
    actions[lastID] = action
    heap.append(Entry(time: time, id: lastID))
    siftUp(heap.count - 1)
    return lastID
  }

  mutating func cancel(_ id: UInt64) {
    guard actions.removeValue(forKey: id) != nil else { return }
    if heap.count > 64, heap.count > 2 * actions.count {
      heap = heap.filter { actions[$0.id] != nil }.sorted { $0.precedes($1) }
    } else if heap.first?.id == id {
      removeDead()
    }
  }

  /// Takes the timers whose time has come out of the heap, the earliest first; each fires by ``fire(_:)``.
  mutating func takeDue(at now: UInt64) -> [UInt64] {
    var due: [UInt64] = []
    while let first = heap.first, first.time <= now {
      due.append(first.id)
      removeFirst()
      removeDead()
    }
    return due
  }

  /// The action of a timer; `nil` for one that was cancelled meanwhile.
  mutating func fire(_ id: UInt64) -> (() -> Void)? { actions.removeValue(forKey: id) }

  /// Milliseconds until the earliest timer, rounded up; `nil` without any.
  func timeout(from now: () -> UInt64) -> Int32? {
    guard let first = heap.first else { return nil }
    let now = now()
    guard first.time > now else { return 0 }
    return Int32(min((first.time - now + 999_999) / 1_000_000, 3_600_000))
  }

  /// Removes the entries in front whose actions are gone.
  private mutating func removeDead() {
    while let first = heap.first, actions[first.id] == nil { removeFirst() }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown()
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0, heap[index].precedes(heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown() {
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child].precedes(heap[least]) {
        least = child
      }
      if least == index { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
