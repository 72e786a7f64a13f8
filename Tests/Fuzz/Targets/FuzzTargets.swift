import Activation
import ExtensionHosting
import JSONRPC
import PropertyList
import Sandbox

/// The parsers of foreign bytes, as functions of some bytes. None may crash, hang, or contradict itself.
enum FuzzTargets {
  static let all: [String: @Sendable ([UInt8]) -> Void] = [
    "json": json,
    "lines": { frames($0, .lines) },
    "headers": { frames($0, .contentLength) },
    "plist": { _ = PropertyListReader.parse($0, file: nil) },
    "predicate": predicate, "elf": { _ = ProgramSymbols($0) },
  ]

  /// What is read is written, read again, and the same.
  private static func json(_ bytes: [UInt8]) {
    guard let value = try? JSONCoding.parse(bytes) else { return }
    let text = JSONCoding.text(of: value)
    precondition((try? JSONCoding.parse(text)) == value, "\(text) does not read back")
    _ = try? JSONCoding.decode(ErrorObject.self, from: bytes)
    _ = try? JSONCoding.decode([String: [Double]].self, from: bytes)
  }

  /// A stream gives the same pieces, whether it comes whole or byte by byte.
  private static func frames(_ bytes: [UInt8], _ framing: Framing) {
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

  private static func predicate(_ bytes: [UInt8]) {
    let rule = ActivationRule(.string(String(decoding: bytes, as: UTF8.self)))
    _ = rule.match([
      ActivationItem(title: "t", contentText: "text", attachments: [ActivationAttachment(["public.png"])])
    ])
  }
}
