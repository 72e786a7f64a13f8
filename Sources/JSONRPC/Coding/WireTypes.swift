import Synchronization

/// The types that are read and written in their own form.
///
/// A table of what was registered, and no question to the runtime: it would go through every conformance of the program
/// for each type that is new to it, which was a tenth of an extension's start.
///
/// A slot holds the address of a type's metadata, which is never freed.
enum WireTypes {
  private static let slots = Slots()

  private struct Slots: ~Copyable, Sendable {
    let cells = InlineArray<64, Atomic<UInt>> { _ in Atomic(0) }
  }

  /// The slots from the one that a type falls on.
  @inline(__always)
  private static func slot(_ address: UInt, _ step: Int) -> Int {
    (Int(truncatingIfNeeded: address >> 4 ^ address >> 10) &+ step) & 63
  }

  static func register(_ type: any WireCodable.Type) {
    let address = unsafe unsafeBitCast(type as Any.Type, to: UInt.self)
    for step in 0..<63 {
      let found = slots.cells[slot(address, step)].compareExchange(
        expected: 0, desired: address, ordering: .sequentiallyConsistent)
      if found.exchanged || found.original == address { return }
    }
    preconditionFailure("more than 63 types are read and written in their own form")
  }

  @inline(__always)
  static func find(_ type: Any.Type) -> (any WireCodable.Type)? {
    let address = unsafe unsafeBitCast(type, to: UInt.self)
    var step = 0
    while true {
      let found = slots.cells[slot(address, step)].load(ordering: .relaxed)
      if found == 0 { return nil }
      if found == address { return type as? any WireCodable.Type }
      step &+= 1
    }
  }
}
