import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(1)))
struct `The spare memory of a loop` {
  @Test func `is the piece that was given back, once, and one piece at most`() {
    let loop = EventLoop()
    let (first, second) = unsafe (loop.takeSpare(), loop.takeSpare())
    #expect(unsafe first != second)
    // All of it may be written.
    for piece in unsafe [first, second] {
      unsafe piece.initializeMemory(as: UInt8.self, repeating: 7, count: EventLoop.spareSize)
    }
    unsafe loop.giveSpare(second)
    unsafe loop.giveSpare(first)
    let third = unsafe loop.takeSpare()
    #expect(unsafe third == second)
    #expect(loop.spare.isEmpty == true)
    unsafe loop.giveSpare(third)
    #expect(unsafe loop.takeSpare() == second)
    unsafe second.deallocate()
  }
}
