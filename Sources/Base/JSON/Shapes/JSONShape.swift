import Synchronization

/// The members of a ``JSONShaped`` structure, with the place of each in memory.
public final class JSONShape<Root: JSONShaped>: Sendable {
  let plan: ShapePlan

  /// Creates a shape. Traps when a member is not a stored property of `Root` itself; the first value that is read traps
  /// when a stored property has no member.
  ///
  /// - Parameter members: one for each stored property, at most 64, in the order in which they are written.
  public init(_ members: JSONMember<Root>...) {
    precondition(members.count <= 64, "the shape of \(Root.self) has more than 64 members")
    let names = Set(members.map(\.name))
    precondition(names.count == members.count, "the shape of \(Root.self) names a member twice")
    plan = ShapePlan(
      members.map { member in
        guard let offset = member.offset else {
          preconditionFailure("\(member.name) of \(Root.self) is not a stored property")
        }
        return ShapePlan.Row(name: member.name, offset: offset, operation: member.operation)
      })
  }

  /// Reads a value by way of any decoder.
  func decode(from container: KeyedDecodingContainer<JSONKey>) throws -> Root {
    try unsafe withUnsafeTemporaryAllocation(of: Root.self, capacity: 1) { memory in
      let root = unsafe UnsafeMutableRawPointer(memory.baseAddress.unsafelyUnwrapped)
      try unsafe plan.decode(from: container, root)
      let value = unsafe memory.moveElement(from: 0)
      plan.verify(value)
      return value
    }
  }

  /// Writes a value by way of any encoder.
  func encode(_ value: Root, to container: inout KeyedEncodingContainer<JSONKey>) throws {
    try unsafe withUnsafePointer(to: value) { try unsafe plan.encode(UnsafeRawPointer($0), to: &container) }
  }

  /// Reads a value from text; `nil` when anything is not as expected.
  ///
  /// - Parameter isOpen: whether the bracket has been read.
  func read(_ reader: inout JSONReader, isOpen: Bool = false) -> Root? {
    unsafe withUnsafeTemporaryAllocation(of: Root.self, capacity: 1) { memory in
      let root = unsafe UnsafeMutableRawPointer(memory.baseAddress.unsafelyUnwrapped)
      guard unsafe isOpen ? reader.readMembers(plan, root) : reader.read(plan, root) else { return nil }
      let value = unsafe memory.moveElement(from: 0)
      plan.verify(value)
      return value
    }
  }
}

/// A shape without its type: where each member is in the text and in memory.
///
/// `@unchecked Sendable`, because: it never changes once it is made.
@safe
final class ShapePlan: @unchecked Sendable {
  struct Row {
    let name: String
    let offset: Int
    let operation: ShapeOperation
  }

  /// One member, as the loops of reading and writing want it.
  ///
  /// `@safe`, because: what it points to lives as long as the plan, which alone gives it out.
  @safe
  struct Member {
    let kind: ShapeOperation.Kind
    let offset: Int
    /// `,"name":`
    let text: UnsafeRawPointer
    let textCount: Int
    /// The plan holds it.
    let operation: Unmanaged<ShapeOperation>
  }

  let rows: [Row]
  let members: UnsafeMutableBufferPointer<Member>
  private let text: UnsafeMutableRawPointer
  /// A bit for each member.
  let all: UInt64
  /// A value was read and had as many properties as there are members.
  private let isVerified = Atomic<Bool>(false)

  var count: Int { rows.count }

  init(_ rows: [Row]) {
    self.rows = rows
    all = rows.count == 64 ? ~0 : (1 << UInt64(rows.count)) - 1
    var writer = JSONWriter()
    var bounds = [0]
    for row in rows {
      writer.byte(0x2C)
      writer.string(row.name)
      writer.byte(0x3A)
      bounds.append(writer.length)
    }
    let text = UnsafeMutableRawPointer.allocate(byteCount: max(1, writer.length), alignment: 1)
    unsafe writer.withBytes { bytes in
      if let base = bytes.baseAddress { unsafe text.copyMemory(from: base, byteCount: bytes.count) }
    }
    unsafe self.text = text
    unsafe members = .allocate(capacity: rows.count)
    for (index, row) in rows.enumerated() {
      let member = unsafe Member(
        kind: row.operation.kind, offset: row.offset, text: UnsafeRawPointer(text + bounds[index]),
        textCount: bounds[index + 1] - bounds[index], operation: .passUnretained(row.operation))
      unsafe members.initializeElement(at: index, to: member)
    }
  }

  deinit {
    unsafe members.deallocate()
    unsafe text.deallocate()
  }

  /// Checks once that no stored property was left without a value.
  @inline(__always)
  func verify<Root>(_ value: @autoclosure () -> Root) {
    if !isVerified.load(ordering: .relaxed) { verifyOnce(value()) }
  }

  @inline(never)
  private func verifyOnce<Root>(_ value: Root) {
    let properties = Mirror(reflecting: value).children.count
    precondition(
      properties == count, "\(Root.self) has \(properties) stored properties, and its shape \(count) members")
    isVerified.store(true, ordering: .relaxed)
  }

  /// Destroys the members whose bits are set.
  @unsafe func destroy(_ seen: UInt64, _ root: UnsafeMutableRawPointer) {
    for (index, row) in rows.enumerated() where seen & 1 << UInt64(index) != 0 {
      unsafe row.operation.destroy(root + row.offset)
    }
  }

  @unsafe func decode(from container: KeyedDecodingContainer<JSONKey>, _ root: UnsafeMutableRawPointer) throws {
    var seen: UInt64 = 0
    do {
      for (index, row) in rows.enumerated() {
        try unsafe row.operation.decode(container, JSONKey(row.name), root + row.offset)
        seen |= 1 << UInt64(index)
      }
    } catch {
      unsafe destroy(seen, root)
      throw error
    }
  }

  @unsafe func encode(_ root: UnsafeRawPointer, to container: inout KeyedEncodingContainer<JSONKey>) throws {
    for row in rows { try unsafe row.operation.encode(root + row.offset, &container, JSONKey(row.name)) }
  }
}
