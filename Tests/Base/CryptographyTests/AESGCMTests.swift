import Cryptography
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `An encrypted box` {
  private let key = bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")

  /// Test case 16 of the specification of GCM (McGrew and Viega).
  @Test func `is that of the specification`() throws {
    let text = bytes(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
        + "b16aedf5aa0de657ba637b39")
    let box = try AESGCM.seal(
      text, key: key, nonce: bytes("cafebabefacedbaddecaf888"),
      context: bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2"))
    #expect(
      Hexadecimal.text(for: box) == "cafebabefacedbaddecaf888"
        + "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838"
        + "c5f61e6393ba7a0abcc9f662" + "76fc6ece0f4e1768cddf8853bb2d551b")
  }

  @Test(arguments: [0, 1, 15, 16, 17, 100_000])
  func `opens to what was put in`(count: Int) throws {
    let text = SecureRandom.bytes(count)
    let box = try AESGCM.seal(text, key: key, context: [1])
    #expect(box.count == count + 28)
    #expect(try AESGCM.open(box, key: key, context: [1]) == text)
    #expect(try AESGCM.seal(text, key: key, context: [1]) != box, "a nonce is never used twice")
  }

  @Test func `does not open when a byte of it, the key or the context is another`() throws {
    let box = try AESGCM.seal(Array("secret".utf8), key: key, context: [1, 2])
    for index in box.indices {
      var changed = box
      changed[index] ^= 1
      let error = #expect(throws: CryptographyError.self) { try AESGCM.open(changed, key: key, context: [1, 2]) }
      #expect(error?.kind == .notAuthentic)
    }
    #expect(throws: CryptographyError.self) { try AESGCM.open(box, key: key, context: [1]) }
    #expect(throws: CryptographyError.self) { try AESGCM.open(box, key: SecureRandom.bytes(32), context: [1, 2]) }
  }

  @Test func `has a key, a nonce and a length of its own`() {
    let short = #expect(throws: CryptographyError.self) { try AESGCM.seal([1], key: [1, 2]) }
    #expect(short?.kind == .outOfBounds)
    #expect(short?.message.contains("2") == true)
    #expect(throws: CryptographyError.self) { try AESGCM.seal([1], key: key, nonce: [1]) }
    let cut = #expect(throws: CryptographyError.self) { try AESGCM.open([UInt8](repeating: 0, count: 27), key: key) }
    #expect(cut?.kind == .malformed)
  }

  @Test(arguments: [0, 31, 32, 33, 64]) func `has a key of 32 bytes, to be sealed and to be opened`(count: Int) throws {
    let box = try AESGCM.seal([1], key: [UInt8](repeating: 0, count: 32))
    let other = [UInt8](repeating: 0, count: count)
    guard count != 32 else {
      #expect(try AESGCM.open(box, key: other) == [1])
      return
    }
    for isOpened in [false, true] {
      let error = #expect(throws: CryptographyError.self) {
        _ = try isOpened ? AESGCM.open(box, key: other) : AESGCM.seal([1], key: other)
      }
      #expect(error?.kind == .outOfBounds && error?.message.hasSuffix("and not \(count).") == true)
    }
  }

  @Test(arguments: [(0, false), (11, false), (12, true), (13, false)])
  func `has a nonce of 12 bytes, which stands before it`(count: Int, isTaken: Bool) {
    let nonce = [UInt8](repeating: 7, count: count)
    let box = try? AESGCM.seal([], key: key, nonce: nonce)
    #expect((box != nil) == isTaken && box.map { $0.count == 28 && $0.starts(with: nonce) } ?? true)
  }
}
