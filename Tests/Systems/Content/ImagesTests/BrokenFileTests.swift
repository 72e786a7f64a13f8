import Testing

@testable import Images

@Suite(.timeLimit(.minutes(1)))
struct `A broken picture` {
  /// Of each format a file that is made in the same way in every run.
  private static var files: [(format: ImageTransform.Format, bytes: [UInt8])] {
    get throws { try TestPicture.files(TestPicture.gradient(24, 18) { x, y in UInt8(255 - x * 5 - y) }) }
  }

  /// Nothing but an error comes of it, and nothing that is too large.
  private static func take(_ bytes: [UInt8]) -> Bool {
    _ = try? ImageRendering.size(of: bytes)
    do throws(ImageError) {
      let limits = ImageLimits(pixels: 200_000)
      let made = try ImageRendering.render(bytes, as: ImageTransform(format: .JPG, width: 9), limits: limits)
      return made.width <= 9
    } catch {
      return !error.message.isEmpty
    }
  }

  @Test func `is refused when it ends early`() throws {
    for (format, bytes) in try Self.files {
      for count in 0..<bytes.count { #expect(Self.take(Array(bytes[..<count])), "\(format) of \(count) bytes") }
      for count in [0, 5, 12, 20, bytes.count / 2] {
        #expect(throws: ImageError.self, "\(format) of \(count) bytes") {
          try ImageRendering.render(Array(bytes[..<count]), as: ImageTransform(format: .PNG))
        }
      }
    }
  }

  @Test func `is refused or read when bytes of it are others`() throws {
    var generator = SplitMix(state: 41)
    for (format, bytes) in try Self.files {
      for round in 0..<400 {
        var changed = bytes
        for _ in 0...(round % 4) {
          changed[Int.random(in: 0..<changed.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        #expect(Self.take(changed), "\(format), round \(round)")
      }
    }
  }

  @Test func `is refused when it is no picture`() {
    let files = [[], [0], Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), Array(repeating: 0xFF, count: 99)]
    for file in files {
      let error = #expect(throws: ImageError.self) { try ImageRendering.size(of: file) }
      #expect(error?.recovery != nil)
    }
  }
}

/// The same numbers in every run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
