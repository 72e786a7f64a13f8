import EventLoop
import HTTPClient
import Testing

@testable import Transfers

@Suite(.timeLimit(.minutes(1)))
struct `The state machine of a transfer` {
  let clock = ManualClock()

  private func record(_ kind: TransferRecord.Kind = .download, lasting: Duration = .seconds(1000)) -> TransferRecord {
    var record = TransferRecord(
      id: 1, session: SessionKey(app: "a", identifier: "b"), kind: kind,
      request: TransferRequest(url: "http://a/"), deadline: Countdown(lasting, from: clock.now))
    record.destination = "a"
    return record
  }

  private func machine(
    bytes: Int64, durable: Int64 = 0, total: Int64? = 100, validator: String? = "\"1\""
  ) -> TransferMachine {
    var record = record()
    record.part = TransferRecord.Part(
      name: "p", validator: validator, bytes: bytes, durableBytes: durable, total: total, boot: clock.now.boot)
    return TransferMachine(record)
  }

  private func response(_ status: Int, _ headers: HTTPFields = [:]) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, url: "http://a/")
  }

  // MARK: Start

  @Test func `begins at the beginning, and goes on behind what is there`() {
    var fresh = TransferMachine(record())
    #expect(fresh.start(at: clock.now, stored: nil) == .request(offset: 0))
    var halfway = machine(bytes: 40)
    #expect(halfway.start(at: clock.now, stored: 50) == .request(offset: 50))
    #expect(halfway.headers(offset: 50, additional: [:])["Range"] == "bytes=50-")
    #expect(halfway.headers(offset: 50, additional: [:])["If-Range"] == "\"1\"")
    var whole = machine(bytes: 40)
    #expect(whole.start(at: clock.now, stored: 100) == .move)
    var gone = machine(bytes: 40)
    #expect(gone.start(at: clock.now, stored: nil) == .request(offset: 0))
    #expect(gone.headers(offset: 0, additional: [:])["If-Range"] == nil)
    var unversioned = machine(bytes: 40, validator: nil)
    #expect(unversioned.start(at: clock.now, stored: 40) == .request(offset: 0))
    var tooLong = machine(bytes: 40)
    #expect(tooLong.start(at: clock.now, stored: 101) == .request(offset: 0))
    var empty = machine(bytes: 0)
    #expect(empty.start(at: clock.now, stored: 0) == .request(offset: 0))
  }

  @Test func `believes after a restart of the machine what was synced`() {
    var machine = machine(bytes: 90, durable: 30)
    clock.reboot(off: .seconds(1))
    #expect(machine.start(at: clock.now, stored: 90) == .request(offset: 30))
    // What comes now is of this start of the machine.
    #expect(machine.start(at: clock.now, stored: 35) == .request(offset: 35))
  }

  @Test func `knows a file that was moved before the end came`() {
    var moving = machine(bytes: 100)
    moving.isMoving()
    var there = moving
    #expect(there.start(at: clock.now, stored: 100) == .move)
    var moved = moving
    #expect(moved.start(at: clock.now, stored: nil) == .hasMoved)
    guard case .end(.completed, let news) = moved.completed() else {
      Issue.record("it has not ended")
      return
    }
    #expect(news.map(\.kind) == [.didFinishDownloading, .didComplete] && news[0].path == "a")
  }

  @Test func `sends no field of a resumption that is not its own`() {
    var record = record()
    record.request.headers = ["Range": "bytes=0-1", "if-range": "x", "Host": "b", "Content-Length": "3", "A": "1"]
    let headers = TransferMachine(record).headers(offset: 0, additional: ["a": "2", "B": "3", "Range": "bytes=9-"])
    #expect(headers == ["A": "1", "B": "3"])
  }

  // MARK: Time

  @Test func `waits and gives up by the clock of the machine`() {
    var machine = TransferMachine(record(lasting: .seconds(100)))
    let outcome = HTTPFileOutcome(response: response(503), end: .whole)
    #expect(machine.ended(outcome, offset: 0, at: clock.now, random: 1) == .backOff([]))
    #expect(machine.start(at: clock.now, stored: nil) == .wait(.seconds(1)))
    clock.setWall(by: .seconds(-9999))
    #expect(machine.start(at: clock.now, stored: nil) == .wait(.seconds(1)))
    clock.setWall(by: .seconds(99_999))
    #expect(machine.start(at: clock.now, stored: nil) == .wait(.seconds(1)))
    clock.advance(.seconds(1))
    #expect(machine.start(at: clock.now, stored: nil) == .request(offset: 0))
    clock.advance(.seconds(99))
    #expect(machine.start(at: clock.now, stored: nil) == .fail(.timedOut))
  }

  @Test(arguments: [(0, 100, 100), (30, 60, 40), (0, -9999, 100), (30, -9999, 70)])
  func `counts the time without power, as far as it is known`(running: Int, off: Int, left: Int) {
    let countdown = Countdown(.seconds(100), from: clock.now)
    clock.reboot(off: .seconds(off == 100 ? 0 : off))
    clock.advance(.seconds(running))
    let expected: Duration = off == 60 ? .seconds(10) : .seconds(left)
    #expect(countdown.left(at: clock.now) == expected)
  }

  @Test func `waits longer after each failure, and from the start again after a success`() {
    var machine = TransferMachine(record(lasting: .seconds(1_000_000)))
    let lost = HTTPFileOutcome(
      response: nil, end: .failed(HTTPError(.connectionLost, "It broke.", url: "http://a/")))
    var pauses: [Duration] = []
    for _ in 0..<12 {
      _ = machine.ended(lost, offset: 0, at: clock.now, random: 0)
      pauses.append(machine.record.notBefore?.left(at: clock.now) ?? .zero)
    }
    #expect(pauses == [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 150, 150, 150].map { .seconds($0) })
    machine.begin(part: "p", with: response(200), at: clock.now)
    machine.advance(to: 10)
    _ = machine.ended(lost, offset: 0, at: clock.now, random: 1)
    #expect(machine.record.notBefore?.left(at: clock.now) == .seconds(1))
  }

  @Test(
    arguments: [
      ("7", nil, 7), ("0", nil, 1), ("999999999", nil, 86_400), ("-5", nil, 1), ("soon", nil, 1),
      ("Fri, 15 Jan 2027 08:01:00 GMT", nil, 60),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:48:37 GMT", 60),
    ] as [(String, String?, Int)])
  func `honours what a server asks, within bounds`(text: String, date: String?, seconds: Int) {
    var fields: HTTPFields = ["Retry-After": text]
    fields["Date"] = date
    #expect(TransferPause.length(after: 1, response(503, fields), random: 1, at: clock.now) == .seconds(seconds))
  }

  // MARK: Head

  @Test(
    arguments: [
      (200, nil, nil, TransferMachine.Body.refused), (404, nil, nil, .refused), (416, nil, nil, .refused),
      (503, nil, nil, .nowhere), (206, "bytes 50-99/100", "\"1\"", .append), (206, "bytes 50-99/*", nil, .append),
      (206, "bytes 50-99/100", "\"2\"", .refused), (206, "bytes 49-99/100", "\"1\"", .refused),
      (206, "bytes 50-99/101", "\"1\"", .refused), (206, nil, "\"1\"", .refused),
      (206, "bytes 60-50/100", nil, .refused),
      (206, "50-99/100", nil, .refused), (206, "bytes 50-99/99", nil, .refused),
    ] as [(Int, String?, String?, TransferMachine.Body)])
  func `takes behind what is there only the rest of the same version`(
    status: Int, range: String?, tag: String?, body: TransferMachine.Body
  ) {
    var fields = HTTPFields()
    fields["Content-Range"] = range
    fields["ETag"] = tag
    #expect(machine(bytes: 50).body(of: response(status, fields), offset: 50) == body)
  }

  @Test func `tells versions apart by their bytes`() {
    let machine = machine(bytes: 50, validator: "\"\u{E9}\"")
    for (tag, body) in [("\"\u{E9}\"", .append), ("\"e\u{301}\"", .refused)] as [(String, TransferMachine.Body)] {
      let fields: HTTPFields = ["Content-Range": "bytes 50-99/100", "ETag": tag]
      #expect(machine.body(of: response(206, fields), offset: 50) == body)
    }
  }

  @Test func `takes any page but a part, and no page of an upload`() {
    let download = TransferMachine(record())
    for status in [200, 201, 204, 304, 400, 401, 404, 501] {
      #expect(download.body(of: response(status), offset: 0) == .fresh)
      #expect(TransferMachine(record(.upload)).body(of: response(status), offset: 0) == .nowhere)
    }
    #expect(download.body(of: response(206), offset: 0) == .refused)
    #expect(download.body(of: response(302, ["Location": "/"]), offset: 0) == .nowhere)
    #expect(download.body(of: response(302), offset: 0) == .fresh)
  }

  @Test(
    arguments: [
      (["ETag": "\"a\""], "\"a\""), (["ETag": "W/\"a\""], nil), (["ETag": "a"], nil), ([:], nil),
      (
        ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:37 GMT"],
        "Sun, 06 Nov 1994 08:49:37 GMT"
      ), (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:38 GMT"], nil),
      (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
      (
        ["ETag": "W/\"a\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Mon, 07 Nov 1994 08:49:37 GMT"],
        nil
      ),
    ] as [(HTTPFields, String?)])
  func `relies on strong validators alone`(fields: HTTPFields, validator: String?) {
    #expect(FileVersion.validator(of: response(200, fields)) == validator)
  }

  // MARK: End

  @Test(arguments: HTTPError.Kind.allCases) func `knows of each failure whether another attempt may help`(
    kind: HTTPError.Kind
  ) {
    var machine = TransferMachine(record())
    let failed = HTTPFileOutcome(response: nil, end: .failed(HTTPError(kind, "No.", url: "http://a/")))
    let step = machine.ended(failed, offset: 0, at: clock.now, random: 0)
    switch kind {
    case .couldNotResolve, .refused, .unreachable:
      #expect(step == .backOff([TransferNews(.waitingForConnectivity)]))
      #expect(machine.ended(failed, offset: 0, at: clock.now, random: 0) == .backOff([]))
    case .timedOut, .connectionLost: #expect(step == .backOff([]))
    case .cancelled: #expect(step == .leave)
    default:
      guard case .end(.failed, let news) = step else {
        Issue.record("\(kind) is tried again")
        return
      }
      #expect(news.map(\.kind) == [.didComplete] && news[0].error?.domain == "NSURLErrorDomain")
    }
  }

  @Test(arguments: [(28, -3003), (122, -1103), (27, -1103), (5, -3003)] as [(Int32, Int)])
  func `ends when the file takes no more`(number: Int32, code: Int) {
    var machine = TransferMachine(record())
    let full = HTTPFileOutcome(response: response(200), end: .cannotWrite(number))
    guard case .end(.failed, let news) = machine.ended(full, offset: 0, at: clock.now, random: 0) else {
      Issue.record("it goes on")
      return
    }
    #expect(news.first?.error?.code == code)
  }

  @Test func `is not done before the file has all its bytes, and forgets one with more`() {
    let whole = HTTPFileOutcome(response: response(206), end: .whole)
    var short = machine(bytes: 80)
    #expect(short.ended(whole, offset: 50, at: clock.now, random: 0) == .backOff([]))
    #expect(short.record.part != nil)
    var long = machine(bytes: 101)
    #expect(long.ended(whole, offset: 50, at: clock.now, random: 0) == .backOff([]))
    #expect(long.record.part == nil)
    var right = machine(bytes: 100)
    #expect(right.ended(whole, offset: 50, at: clock.now, random: 0) == .move)
  }

  @Test func `keeps of a response what says something about the file, and no secret`() {
    var fields: HTTPFields = ["Set-Cookie": "a", "WWW-Authenticate": "b", "ETag": "\"1\""]
    fields.append("Long", String(repeating: "x", count: 2000))
    for number in 0..<100 { fields.append("N\(number)", "1") }
    let kept = TransferResponse(response(200, fields))
    #expect(kept.headers.all.count == 32 && kept.headers.all.first?.name == "ETag")
  }
}
