import ExtensionProtocol
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A deadline of a request` {
  private let idle = RequestDeadline(soft: .seconds(5), hard: .seconds(60), limit: .seconds(600))

  @Test func `of a caller takes the place of its own`() {
    let sooner = idle.with(.seconds(4))
    #expect(sooner.soft == .seconds(4) && sooner.hard == .seconds(4) && sooner.limit == .seconds(600))
    let later = idle.with(.seconds(601))
    #expect(later.soft == .seconds(5) && later.hard == .seconds(601) && later.limit == .seconds(601))
    #expect(idle.with(nil) == idle)
    #expect(RequestDeadline.standard.with(.seconds(11)) == RequestDeadline(hard: .seconds(11)))
  }

  @Test func `is measured from the last sign of life where it has an end`() {
    #expect(idle.isIdleBased && RequestDeadline.request.isIdleBased && !RequestDeadline.standard.isIdleBased)
    #expect(RequestDeadline.standard == RequestDeadline(hard: .seconds(10)))
    #expect(RequestDeadline.request == RequestDeadline(hard: .seconds(60), limit: .seconds(600)))
    #expect(RequestDeadline.longest == .seconds(3600))
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A version of the protocol` {
  @Test func `is the first of one's own that is offered`() {
    #expect(ProtocolVersion.negotiate(offered: ["1.0", "2.0"], supported: ["2.0", "1.0"]) == "2.0")
    #expect(ProtocolVersion.negotiate(offered: ["3.0", "1.0"], supported: ["2.0", "1.0"]) == "1.0")
    #expect(ProtocolVersion.negotiate(offered: ["3.0"], supported: ["2.0"]) == nil)
    #expect(ProtocolVersion.negotiate(offered: []) == nil && ProtocolVersion.negotiate(offered: ["1.0"]) == "1.0")
  }

  @Test func `has levels of a log in their order`() {
    let levels: [LogLevel] = [.trace, .debug, .info, .notice, .warning, .error, .critical]
    #expect(levels.shuffled().sorted() == levels)
    #expect(!(LogLevel.info < .info))
  }
}
