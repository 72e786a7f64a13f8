import EventLoop
import HTTPClient
import Testing

@testable import Transfers

/// The machine at the byte and at the second of its bounds, and the second time round.
@Suite(.timeLimit(.minutes(1)))
struct `The state machine of a transfer at its bounds` {
  let clock = ManualClock()

  private func machine(
    _ kind: TransferRecord.Kind = .download, method: String = "GET", headers: HTTPFields = [:], bytes: Int64? = nil,
    durable: Int64 = 0, total: Int64? = 100
  ) -> TransferMachine {
    let request = TransferRequest(url: "http://a/", method: method, headers: headers)
    var record = TransferRecord(
      id: 1, session: SessionKey(app: "a", identifier: "b"), kind: kind, request: request,
      deadline: Countdown(.seconds(1_000), from: clock.now))
    record.part = bytes.map {
      TransferRecord.Part(
        name: "p", validator: "\"1\"", bytes: $0, durableBytes: durable, total: total, boot: clock.now.boot)
    }
    return TransferMachine(record)
  }

  private func response(_ status: Int, _ headers: HTTPFields = [:]) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, url: "http://a/")
  }

  @Test(arguments: [(0, 0), (1, 1), (99, 99), (101, 0)] as [(Int64, Int64)])
  func `goes on from the first byte to the last but one`(stored: Int64, offset: Int64) {
    var machine = machine(bytes: 50)
    #expect(machine.start(at: clock.now, stored: stored) == .request(offset: offset))
    #expect(machine.record.bytesDone == offset && (machine.record.part == nil) == (offset == 0))
  }

  @Test(arguments: [300, 301, 302, 303, 304, 305, 307, 308, 309])
  func `keeps nothing of a redirect, and of another answer what there is`(status: Int) {
    let isRedirect = ![300, 304, 305, 309].contains(status)
    #expect(
      machine().body(of: response(status, ["Location": "http://b/"]), offset: 0) == (isRedirect ? .nowhere : .fresh))
    #expect(machine().body(of: response(status), offset: 0) == .fresh)
  }

  @Test func `goes on in a file whose end is not known`() {
    var machine = machine(bytes: 5, total: nil)
    #expect(machine.start(at: clock.now, stored: 1_000_000) == .request(offset: 1_000_000))
  }

  @Test func `believes of what was synced no more than there is`() {
    var machine = machine(bytes: 90, durable: 80)
    clock.reboot(off: .seconds(1))
    #expect(machine.start(at: clock.now, stored: 20) == .request(offset: 20))
    #expect(machine.record.part?.durableBytes == 20)
    // The second restart finds what the first one left.
    clock.reboot(off: .seconds(1))
    #expect(machine.start(at: clock.now, stored: 90) == .request(offset: 20))
  }

  @Test func `fetches again a file that is no longer whole when it is to be moved`() {
    var machine = machine(bytes: 100)
    machine.isMoving()
    #expect(machine.start(at: clock.now, stored: 99) == .request(offset: 99))
  }

  @Test func `forgets with a part what it knew of its length, and of an upload nothing`() {
    var download = machine(bytes: 50)
    _ = download.start(at: clock.now, stored: nil)
    #expect(download.record.part == nil && download.record.bytesDone == 0 && download.record.bytesExpected == nil)
    var upload = machine(.upload)
    let sent = HTTPFileOutcome(response: response(503), end: .whole)
    upload.advance(to: 40)
    _ = upload.ended(sent, offset: 0, at: clock.now, random: 0)
    clock.advance(.seconds(500))
    #expect(upload.start(at: clock.now, stored: nil) == .request(offset: 0) && upload.record.bytesDone == 0)
  }

  @Test func `ends with its time, and not before`() {
    var machine = machine()
    clock.advance(.nanoseconds(999_999_999_999))
    #expect(machine.start(at: clock.now, stored: nil) == .request(offset: 0))
    clock.advance(.nanoseconds(1))
    for _ in 0..<2 { #expect(machine.start(at: clock.now, stored: nil) == .fail(.timedOut)) }
  }

  @Test func `counts attempts from the last byte that came on`() {
    let lost = HTTPFileOutcome(response: nil, end: .failed(HTTPError(.connectionLost, "It broke.", url: "http://a/")))
    var machine = machine(bytes: 50)
    for turn in 0..<3 {
      let offset = Int64(50 + turn)
      for attempt in 1...3 {
        _ = machine.start(at: clock.now, stored: offset)
        _ = machine.ended(lost, offset: offset, at: clock.now, random: 0)
        #expect(machine.record.attempts == attempt + (turn == 0 ? 0 : 1), "turn \(turn)")
        clock.advance(.seconds(20))
      }
      _ = machine.start(at: clock.now, stored: offset)
      machine.advance(to: offset + 1)
      _ = machine.ended(lost, offset: offset, at: clock.now, random: 0)
      #expect(machine.record.attempts == 1)
      clock.advance(.seconds(20))
    }
  }

  @Test func `says once that there is no connection, however often there is none`() {
    var machine = machine()
    let unconnected = HTTPFileOutcome(response: nil, end: .failed(HTTPError(.refused, "No.", url: "http://a/")))
    let steps = (0..<4).map { _ in machine.ended(unconnected, offset: 0, at: clock.now, random: 0) }
    #expect(steps == [.backOff([TransferNews(.waitingForConnectivity)]), .backOff([]), .backOff([]), .backOff([])])
  }

  @Test func `keeps a pause until it is over, and none once it runs`() {
    var machine = machine()
    _ = machine.postpone(at: clock.now, random: 1)
    #expect(machine.record.state == .backingOff)
    clock.advance(.nanoseconds(999_999_999))
    #expect(machine.start(at: clock.now, stored: nil) == .wait(.nanoseconds(1)))
    clock.advance(.nanoseconds(1))
    #expect(machine.start(at: clock.now, stored: nil) == .request(offset: 0))
    machine.begin(part: "p", with: response(200), at: clock.now)
    #expect(machine.record.state == .running && machine.record.notBefore == nil)
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504]) func `tries again what may pass, cut short or whole`(
    status: Int
  ) {
    let cut = HTTPFileOutcome.End.failed(HTTPError(.connectionLost, "It broke.", url: "http://a/"))
    for end in [HTTPFileOutcome.End.whole, cut] {
      for kind in [TransferRecord.Kind.download, .upload] {
        var machine = machine(kind, method: kind == .upload ? "PUT" : "GET")
        let outcome = HTTPFileOutcome(response: response(status), end: end)
        #expect(machine.ended(outcome, offset: 0, at: clock.now, random: 0) == .backOff([]))
        #expect(machine.record.status == status && machine.record.attempts == 1)
        #expect(machine.body(of: response(status), offset: 50) == .nowhere)
      }
    }
  }

  /// A server may have done what a POST orders before it failed; with a key of the task it can tell the second from the
  /// first.
  @Test(arguments: [500, 502, 504]) func `repeats no order that may have been done, unless the task has a key`(
    status: Int
  ) {
    let outcome = HTTPFileOutcome(response: response(status), end: .whole)
    var order = machine(.upload, method: "POST")
    guard case .end = order.ended(outcome, offset: 0, at: clock.now, random: 0) else {
      Issue.record("\(status) is tried again")
      return
    }
    var keyed = machine(.upload, method: "POST", headers: ["Idempotency-Key": "k"])
    #expect(keyed.ended(outcome, offset: 0, at: clock.now, random: 0) == .backOff([]))
  }

  @Test func `starts over once where the rest is refused, and fails where all is`() {
    var machine = machine(bytes: 50)
    let refused = HTTPFileOutcome(response: response(200), end: .refused)
    #expect(machine.ended(refused, offset: 50, at: clock.now, random: 0) == .startOver)
    #expect(machine.record.part == nil)
    guard case .end(.failed, _) = machine.ended(refused, offset: 0, at: clock.now, random: 0) else {
      Issue.record("it goes on")
      return
    }
  }

  @Test func `believes nothing of a new file before it was synced`() {
    var machine = machine(bytes: 50, durable: 40)
    for stored in [Int64(1), 70] {
      machine.begin(part: "q", with: response(200, ["ETag": "\"1\""]), at: clock.now)
      let part = machine.record.part
      #expect(part?.name == "q" && part?.bytes == 0 && part?.durableBytes == 0 && machine.record.bytesDone == 0)
      machine.advance(to: stored)
      #expect(machine.record.part?.bytes == stored && machine.record.part?.durableBytes == 0)
      clock.reboot(off: .seconds(1))
      #expect(machine.start(at: clock.now, stored: stored) == .request(offset: 0))
      #expect(machine.record.part == nil && machine.record.bytesDone == 0)
    }
  }

  @Test func `knows no length of what is compressed`() {
    var machine = machine()
    machine.begin(part: "p", with: response(200, ["Content-Length": "5", "Content-Encoding": "gzip"]), at: clock.now)
    #expect(machine.record.part?.total == nil && machine.record.bytesExpected == nil)
    machine.begin(part: "p", with: response(200, ["Content-Length": "5", "ETag": "\"2\""]), at: clock.now)
    #expect(machine.record.part?.total == 5 && machine.record.part?.validator == "\"2\"")
    machine.begin(part: "p", with: response(404, ["Content-Length": "5", "ETag": "\"2\""]), at: clock.now)
    #expect(machine.record.part?.validator == nil)
  }

  @Test(arguments: [nil, 100] as [Int64?])
  func `moves a file that is whole, also when its time has passed`(total: Int64?) {
    var moving = machine(bytes: 100, total: total)
    moving.isMoving()
    #expect(moving.record.part?.total == 100 && moving.record.part?.isMoving == true)
    clock.advance(.seconds(1_000))
    for _ in 0..<2 {
      #expect(moving.start(at: clock.now, stored: 100) == .move)
      #expect(moving.start(at: clock.now, stored: nil) == .hasMoved)
      #expect(moving.start(at: clock.now, stored: 99) == .fail(.timedOut))
    }
    var none = machine()
    none.isMoving()
    #expect(none.record.part == nil)
  }

  @Test func `gives up in a pause that lasts longer than its time`() {
    var machine = machine()
    let busy = HTTPFileOutcome(response: response(503, ["Retry-After": "4000"]), end: .whole)
    _ = machine.ended(busy, offset: 0, at: clock.now, random: 0)
    clock.advance(.seconds(999))
    #expect(machine.start(at: clock.now, stored: nil) == .wait(.seconds(3_001)))
    clock.advance(.seconds(1))
    #expect(machine.start(at: clock.now, stored: nil) == .fail(.timedOut))
  }

  @Test func `counts each attempt of an upload, whatever was sent, up to a thousand`() {
    let lost = HTTPFileOutcome(response: nil, end: .failed(HTTPError(.connectionLost, "It broke.", url: "http://a/")))
    var upload = machine(.upload, method: "PUT")
    var counts: [Int] = []
    for attempt in 1...1_002 {
      upload.advance(to: Int64(attempt))
      _ = upload.ended(lost, offset: 0, at: clock.now, random: 0)
      counts.append(upload.record.attempts)
    }
    #expect(counts == Array(1...1_000) + [1_000, 1_000])
  }

  /// An empty file is wholly sent before it is sent.
  @Test(arguments: [(0, 0, true), (9, 10, false), (10, 10, true), (11, 10, true)] as [(Int64, Int64, Bool)])
  func `repeats an order of which the last byte was not sent, or no connection was made`(
    sent: Int64, size: Int64, mayHaveArrived: Bool
  ) {
    var record = machine(.upload, method: "POST").record
    record.bytesExpected = size
    for kind in [HTTPError.Kind.couldNotResolve, .refused, .unreachable, .timedOut, .connectionLost] {
      var upload = TransferMachine(record)
      upload.advance(to: sent)
      let error = HTTPError(kind, "No.", url: "http://a/")
      let step = upload.ended(
        HTTPFileOutcome(response: nil, end: .failed(error)), offset: 0, at: clock.now, random: 0)
      if kind.isUnconnected {
        #expect(step == .backOff([TransferNews(.waitingForConnectivity)]))
      } else if mayHaveArrived {
        let failure = TransferFailure(error).ofWhatMayHaveArrived
        #expect(step == .end(.failed, [TransferNews(.didComplete, error: failure)]))
      } else {
        #expect(step == .backOff([]))
      }
    }
  }

  @Test func `ends with the server's answer where there is one`() {
    var download = machine()
    let refusal = TransferFailure(domain: "test", code: 7, "No.", recovery: "Yes.")
    #expect(download.fail(refusal) == .end(.failed, [TransferNews(.didComplete, error: refusal)]))
    let head = response(200, ["ETag": "\"2\""])
    download.begin(part: "p", with: head, at: clock.now)
    let told = TransferResponse(head)
    #expect(download.fail(refusal) == .end(.failed, [TransferNews(.didComplete, response: told, error: refusal)]))
    #expect(
      download.completed()
        == .end(
          .completed, [TransferNews(.didFinishDownloading, response: told), TransferNews(.didComplete, response: told)]
        ))
    var upload = machine(.upload, method: "PUT")
    #expect(
      upload.ended(HTTPFileOutcome(response: head, end: .whole), offset: 0, at: clock.now, random: 0)
        == .end(.completed, [TransferNews(.didSendBody, response: told), TransferNews(.didComplete, response: told)]))
    #expect(upload.record.status == 200)
  }

  @Test func `sends a field of its session as often as that has it, unless it has one of its own`() {
    let additional: HTTPFields = ["A": "1", "a": "2", "X": "3", "x": "4"]
    let headers = machine(headers: ["x": "own"]).headers(offset: 0, additional: additional)
    #expect(headers.all.map(\.value) == ["own", "1", "2"])
  }

  @Test func `knows the last status when no answer comes any more`() {
    var machine = machine()
    _ = machine.ended(HTTPFileOutcome(response: response(503), end: .whole), offset: 0, at: clock.now, random: 0)
    let lost = HTTPFileOutcome(response: nil, end: .failed(HTTPError(.connectionLost, "It broke.", url: "http://a/")))
    for attempts in 2...3 {
      _ = machine.ended(lost, offset: 0, at: clock.now, random: 0)
      #expect(machine.record.status == 503 && machine.record.attempts == attempts)
    }
  }

  @Test func `sends no field that belongs to the connection, whoever named it`() {
    let fields: HTTPFields = [
      "range": "a", "If-Range": "a", "content-length": "1", "Transfer-Encoding": "a", "host": "a", "Connection": "a",
      "X": "1",
    ]
    let own = machine(headers: fields, bytes: 50)
    #expect(own.headers(offset: 0, additional: [:]) == ["X": "1"])
    #expect(own.headers(offset: 0, additional: fields) == ["X": "1"])
    #expect(machine().headers(offset: 0, additional: fields) == ["X": "1"])
    #expect(own.headers(offset: 1, additional: fields) == ["X": "1", "Range": "bytes=1-", "If-Range": "\"1\""])
    #expect(machine().headers(offset: 1, additional: [:]) == [:])
  }
}

/// Each failure of the network as the owner of a task learns of it.
@Suite(.timeLimit(.minutes(1)))
struct `The code of a failure` {
  static let codes: [(HTTPError.Kind, Int)] = [
    (.invalidURL, -1002), (.invalidRequest, -1000), (.couldNotResolve, -1003), (.refused, -1004),
    (.forbiddenAddress, -1004), (.unreachable, -1004), (.timedOut, -1001), (.tls, -1200), (.connectionLost, -1005),
    (.invalidResponse, -1011), (.undecodableBody, -1011), (.tooLarge, -1103), (.badRedirect, -1010),
    (.cancelled, -999),
  ]

  @Test func `has the number that Foundation gives it`() {
    let numbers = [
      -999, -1000, -1001, -1002, -1003, -1004, -1005, -1007, -1010, -1011, -1022, -1100, -1103, -1200, -3000, -3001,
      -3003, -3005,
    ]
    #expect(TransferFailure.Code.allCases.map(\.rawValue) == numbers)
  }

  @Test func `is one of the system's for each kind`() {
    #expect(Set(Self.codes.map(\.0)) == Set(HTTPError.Kind.allCases))
    for (kind, code) in Self.codes {
      let error = HTTPError(kind, "No.", url: "http://a/")
      let failure = TransferFailure(error)
      #expect(failure.code == code && failure.domain == "NSURLErrorDomain", "\(kind)")
      #expect(failure.description == error.message && failure.recovery == error.recovery)
    }
  }
}

/// The fields of a server's answer that an event keeps.
@Suite(.timeLimit(.minutes(1)))
struct `The response of an event` {
  @Test func `keeps 32 fields of at most 1,024 bytes with their name, and no secret`() {
    var headers = HTTPFields()
    headers.append("X-Long", String(repeating: "a", count: 1_018))
    headers.append("X-Over", String(repeating: "a", count: 1_019))
    for name in ["set-cookie", "Set-Cookie2", "WWW-Authenticate", "Proxy-Authenticate", "authentication-info"] {
      headers.append(name, "secret")
    }
    for number in 0..<40 { headers.append("X-\(number)", "v") }
    let kept = TransferResponse(HTTPResponse(status: 200, headers: headers, url: "http://a/")).headers.all
    #expect(kept.map(\.name) == ["X-Long"] + (0..<31).map { "X-\($0)" })
    #expect(!kept.contains { $0.value == "secret" })
  }
}
