import PropertyList

/// The file of a ``ManifestCache``: manifests by path and stamp. A file that is incomplete or of another version is
/// treated as empty.
struct ManifestCacheFile {
  /// One manifest of the cache.
  struct Record {
    let stamp: ManifestStamp
    /// As ``ManifestArchive`` writes it.
    let archive: ArraySlice<UInt8>
  }

  /// Bytes of a file; no more are read, and no more are written.
  static let maximumSize = 32 << 20
  /// Manifests in a file.
  static let maximumCount = 20_000
  /// A change of this format, or of ``ManifestArchive``, changes the number.
  private static let magic = Array("annex manifests 1\n".utf8)

  private(set) var records: [String: Record] = [:]
  private var size = 0

  init() {}

  // MARK: Reading

  /// - Parameter bytes: of a file that ``bytes`` made, or anything else.
  init(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.magic) else { return }
    var rest = bytes[Self.magic.count...]
    guard let sum = Self.number(&rest), UInt64(bitPattern: sum) == Self.checksum(rest) else { return }
    var read = ManifestCacheFile()
    while !rest.isEmpty {
      guard read.records.count < Self.maximumCount, let path = Self.run(&rest),
        let stamp = Self.stamp(&rest), let archive = Self.run(&rest)
      else { return }
      read.insert(String(decoding: path, as: UTF8.self), Record(stamp: stamp, archive: archive))
    }
    self = read
  }

  private static func stamp(_ rest: inout ArraySlice<UInt8>) -> ManifestStamp? {
    var numbers: [Int64] = []
    numbers.reserveCapacity(ManifestStamp.size)
    for _ in 0..<ManifestStamp.size {
      guard let number = number(&rest) else { return nil }
      numbers.append(number)
    }
    return ManifestStamp(numbers: numbers)
  }

  private static func run(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let count = number(&rest), 0...rest.count ~= Int(count) else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return rest.prefix(Int(count))
  }

  /// Eight bytes, the lowest first.
  private static func number(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    guard rest.count >= 8 else { return nil }
    let start = rest.startIndex
    var number: UInt64 = 0
    for index in 0..<8 { number |= UInt64(rest[start + index]) << UInt64(8 * index) }
    rest = rest[(start + 8)...]
    return Int64(bitPattern: number)
  }

  /// A checksum against damage, not against forgery: only the owner of the manifests can write this file (FNV-1a over
  /// eight bytes at a time).
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    var rest = bytes
    while let word = number(&rest) {
      sum = (sum ^ UInt64(bitPattern: word)) &* 0x100_0000_01b3
      sum ^= sum >> 32
    }
    for byte in rest { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return sum
  }

  // MARK: Changing

  /// - Returns: whether it fits.
  @discardableResult
  mutating func insert(_ path: String, _ record: Record) -> Bool {
    let cost = path.utf8.count + record.archive.count + 8 * (ManifestStamp.size + 2)
    guard records.count < Self.maximumCount, size + cost <= Self.maximumSize - 64 else { return false }
    size += cost
    records[path] = record
    return true
  }

  // MARK: Writing

  /// The file, in the order of the paths.
  var bytes: [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(size)
    for (path, record) in records.sorted(by: { $0.key < $1.key }) {
      Self.append(path.utf8, to: &body)
      for number in record.stamp.numbers { Self.append(number, to: &body) }
      Self.append(record.archive, to: &body)
    }
    var whole = Self.magic
    Self.append(Int64(bitPattern: Self.checksum(body[...])), to: &whole)
    return whole + body
  }

  private static func append(_ content: some Collection<UInt8>, to bytes: inout [UInt8]) {
    append(Int64(content.count), to: &bytes)
    bytes.append(contentsOf: content)
  }

  private static func append(_ number: Int64, to bytes: inout [UInt8]) {
    for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> Int64(8 * index))) }
  }
}
