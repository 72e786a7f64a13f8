import Files

/// The segments that a 64-bit ELF file asks the kernel to map. Reads foreign bytes, as ``ELFImage`` does: only the
/// table of segments and the data of two of its entries.
struct ProgramHeaders: Sendable {
  struct Segment: Sendable {
    let type: UInt32
    let flags: UInt32
    let offset: Int
    let fileSize: Int
    let memorySize: Int

    var isWritten: Bool { flags & 2 != 0 }
    var isExecuted: Bool { flags & 1 != 0 }
  }

  let machine: UInt16
  /// 2: a program at a fixed place; 3: a library, or a program at any place.
  let type: UInt16
  let segments: [Segment]
  /// The first that is named: the kernel starts that one instead of the program.
  let interpreter: String?
  /// Whether the linker has marked it as a program, though it has the form of a library.
  let isMarkedAsProgram: Bool

  private static let size = 56
  private static let maximumDynamic = 1 << 16
  private static let intel: UInt16 = 62
  private static let (load, dynamic, interp, stack): (UInt32, UInt32, UInt32, UInt32) = (1, 2, 3, 0x6474_e551)
  private static let (flagsTag, programFlag): (UInt64, UInt64) = (0x6fff_fffb, 0x0800_0000)

  /// - Parameter read: Returns up to `count` bytes from an offset of the file, nil when there are none.
  /// - Returns: nil for what the kernel would not start either.
  init?(read: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    guard let start = read(0, 64), let header = ELFImage.header(start), let type = ELFBytes(start).half(16) else {
      return nil
    }
    guard let raw = read(header.programHeaderOffset, max(header.programHeaderCount * Self.size, 1)) else { return nil }
    let table = ELFBytes(raw)
    guard table.count >= header.programHeaderCount * Self.size else { return nil }
    self.type = type
    machine = header.machine
    segments = (0..<header.programHeaderCount).map { index in
      let start = index * Self.size
      // An offset beyond every file becomes the largest number: such a segment cannot be mapped.
      func place(_ offset: Int) -> Int { table.offset(start + offset) ?? .max }
      return Segment(
        type: table.word(start) ?? 0, flags: table.word(start + 4) ?? 0, offset: place(8), fileSize: place(32),
        memorySize: place(40))
    }
    interpreter = segments.first { $0.type == Self.interp }.map { segment in
      read(segment.offset, min(segment.fileSize, 4096)).flatMap { ELFBytes($0).string(at: 0) } ?? ""
    }
    let dynamic = segments.first { $0.type == Self.dynamic }.flatMap {
      read($0.offset, min($0.fileSize, Self.maximumDynamic))
    }
    let entries = ELFBytes(dynamic ?? [])
    isMarkedAsProgram = stride(from: 0, to: max(0, entries.count - 15), by: 16).contains { start in
      entries.long(start) == Self.flagsTag && (entries.long(start + 8) ?? 0) & Self.programFlag != 0
    }
  }

  init?(path: String) {
    self.init { offset, count in File.prefix(of: path, limit: count, from: offset) }
  }

  /// Whether the loader may take it, and the kernel would not start it: nothing that runs by itself.
  var isLibrary: Bool { type == 3 && interpreter == nil && !isMarkedAsProgram }

  /// A sentence that says how memory would be both writable and executable; nil when no segment asks for that.
  var memoryFault: String? {
    for segment in segments where segment.type == Self.load && segment.isExecuted {
      if segment.isWritten { return "It has a segment that is both written and executed." }
      // What the file does not fill, the kernel fills with memory that can be written, whatever the segment says.
      guard segment.memorySize <= segment.fileSize else { return "It has a segment of code that is longer in memory." }
    }
    let stacks = segments.filter { $0.type == Self.stack }
    if stacks.contains(where: \.isExecuted) { return "It asks for a stack on which code may run." }
    // On this machine kernels before 5.8, and the C library for every thread, then take it that code may.
    if stacks.isEmpty, machine == Self.intel { return "It does not say that no code runs on its stack." }
    return nil
  }
}

/// Memory that a program has from its start and that it may both write and execute: the list of system calls sees none
/// of it, since the kernel makes it out of the program's own headers.
package enum ExecutableMemory {
  /// What an author can do.
  package static let recovery =
    "Build it without executable stacks and without writable code, or ask for the entitlement “jit”."

  /// What a program or library has of it, as a sentence; nil for none, and for what is no program.
  package static func fault(of path: String) -> String? { ProgramHeaders(path: path)?.memoryFault }
}
