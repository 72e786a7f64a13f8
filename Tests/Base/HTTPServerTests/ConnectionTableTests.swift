import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1)))
struct `The connections of a server` {
  @Test func `give way in the order in which their clients have been waited for`() {
    var table = ConnectionTable(most: 2)
    let (one, first) = table.opened(11)
    let (_, second) = table.opened(12)
    #expect(first == nil && second == nil)
    table.waiting(one)
    #expect(table.opened(13).leaving == 12)
    #expect(table.opened(14).leaving == 11)
    #expect(table.count == 4)
  }

  @Test func `stay while a handler has their request`() {
    var table = ConnectionTable(most: 2)
    let (one, two) = (table.opened(11).id, table.opened(12).id)
    table.handling(one)
    table.handling(two)
    #expect(table.opened(13).leaving == nil)
    table.waiting(two)
    // The last one was waited for before the second.
    #expect(table.opened(14).leaving == 13)
    #expect(table.opened(15).leaving == 12)
  }

  @Test func `are told once, and make room when they have ended`() {
    var table = ConnectionTable(most: 1)
    let one = table.opened(11).id
    let (two, leaving) = table.opened(12)
    #expect(leaving == 11)
    table.closed(one)
    #expect(table.count == 1)
    table.closed(two)
    table.closed(two)
    #expect(table.opened(13).leaving == nil)
  }
}
