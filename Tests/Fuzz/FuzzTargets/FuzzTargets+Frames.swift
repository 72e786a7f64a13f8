import JSONRPC

extension FuzzTargets {
  /// A stream gives the same pieces, whether it comes whole or byte by byte.
  static func frames(_ bytes: [UInt8], _ framing: Framing) {
    let whole = pieces(bytes, framing, by: max(1, bytes.count))
    precondition(whole == pieces(bytes, framing, by: 1), "the pieces depend on how the bytes are cut")
  }

  private static func pieces(_ bytes: [UInt8], _ framing: Framing, by step: Int) -> [String] {
    var decoder = FrameDecoder(framing: framing, limit: 1 << 16)
    var rest = bytes[...]
    var found: [String] = []
    do {
      while !rest.isEmpty {
        let count = unsafe fill(&decoder, with: rest.prefix(step))
        decoder.received(count)
        rest = rest.dropFirst(count)
        next: while true {
          switch try decoder.next() {
          case .incomplete: break next
          case .noise: continue
          case .frame(let range):
            found.append(unsafe String(decoding: decoder.bytes(range), as: UTF8.self))
          }
        }
      }
    } catch {
      found.append("\(error)")
    }
    return found
  }

  @unsafe private static func fill(_ decoder: inout FrameDecoder, with bytes: ArraySlice<UInt8>) -> Int {
    let room = unsafe decoder.prepare()
    let count = min(room.count, bytes.count)
    for (index, byte) in bytes.prefix(count).enumerated() { unsafe room[index] = byte }
    return count
  }
}
