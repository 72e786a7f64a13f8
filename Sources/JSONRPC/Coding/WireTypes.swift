import Synchronization

/// Remembers types that are not `WireCodable`: asking the runtime costs as much as decoding a small message.
///
/// A slot holds the address of the metadata of the last such type that fell on it; metadata is never freed.
enum WireTypes {
  private static let slots = Slots()

  private struct Slots: ~Copyable, Sendable {
    let cells = InlineArray<64, Atomic<UInt>> { _ in Atomic(0) }
  }

  @inline(__always)
  static func find(_ type: Any.Type) -> (any WireCodable.Type)? {
    let address = unsafe unsafeBitCast(type, to: UInt.self)
    let index = Int(truncatingIfNeeded: (address >> 4 ^ address >> 10) & 63)
    if slots.cells[index].load(ordering: .relaxed) == address { return nil }
    return ask(type, address, index)
  }

  @inline(never)
  private static func ask(_ type: Any.Type, _ address: UInt, _ index: Int) -> (any WireCodable.Type)? {
    if let wire = type as? any WireCodable.Type { return wire }
    slots.cells[index].store(address, ordering: .relaxed)
    return nil
  }
}
