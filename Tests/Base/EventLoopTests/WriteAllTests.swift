import CLinux
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Writing all bytes` {
  @Test func `goes on until the last one, however slowly they are taken`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    // More than the pipe holds, so that somebody has to read meanwhile.
    Thread {
      #expect(clinux_write_all(writing, bytes, bytes.count) == 0)
      close(writing)
    }.start()
    var taken: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1000)
    while case let count = read(reading, &piece, piece.count), count > 0 { taken += piece[..<count] }
    #expect(taken == bytes)
  }

  @Test func `is refused with the reason when there is no room`() throws {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    try #require(full >= 0)
    defer { close(full) }
    #expect(clinux_write_all(full, [1, 2, 3] as [UInt8], 3) == -1)
    #expect(errno == ENOSPC)
  }
}
