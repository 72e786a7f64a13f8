import Foundation
import HTTPClient
import TestSupport
import Testing

@testable import Transfers

/// What a server says of a file, and what is believed of it.
@Suite(.timeLimit(.minutes(1)))
struct `What a server says of a file` {
  @Test(
    arguments: [
      ("bytes 0-0/1", 0, 0, 1), ("bytes 5-9/10", 5, 9, 10), ("bytes 5-9/*", 5, 9, nil),
      ("bytes 0-9007199254740991/9007199254740992", 0, 9_007_199_254_740_991, 9_007_199_254_740_992),
    ] as [(String, Int64, Int64, Int64?)])
  func `is a range with its total`(text: String, first: Int64, last: Int64, total: Int64?) throws {
    let range = try #require(ContentRange(text))
    #expect(range.first == first && range.last == last && range.total == total)
  }

  @Test(arguments: [
    "", "bytes", "bytes ", "bytes 5-9", "bytes 5-9/", "bytes 9-5/10", "bytes 5-9/9", "bytes 5-9/5", "bytes -9/10",
    "bytes 5-/10", "bytes 5-9-9/10", "bytes 5-9/10/10", "bytes */10", "byte 5-9/10", "bytes +5-9/10", "bytes 5-9/-",
    "bytes 5-9/9007199254740993", "bytes 5-9007199254740993/*", "bytes 5-9/ 10", "bytes 5-9/1é",
  ])
  func `is no range that contradicts itself`(text: String) { #expect(ContentRange(text) == nil) }

  @Test(arguments: [("0", 0), ("9007199254740992", 1 << 53), ("007", 7)] as [(String, Int64)])
  func `is a number of bytes`(text: String, count: Int64) { #expect(FileVersion.count(text) == count) }

  @Test(arguments: ["", "9007199254740993", "-1", "+1", "1.0", " 1", "1/", "1:", "99999999999999999999", "٣"])
  func `is no other number`(text: String) { #expect(FileVersion.count(text) == nil) }

  @Test(
    arguments: [
      ("\"a\"", "\"a\""), ("\"\"", "\"\""), ("\"", nil), ("W/\"a\"", nil), ("\"a", nil), ("a\"", nil), ("", nil),
      ("\"" + String(repeating: "é", count: 255) + "\"", "\"" + String(repeating: "é", count: 255) + "\""),
      ("\"" + String(repeating: "é", count: 255) + "a\"", nil),
    ] as [(String, String?)])
  func `is a version by a strong tag of 512 bytes`(tag: String, version: String?) {
    let response = HTTPResponse(
      status: 200,
      headers: [
        "ETag": tag, "Last-Modified": "Thu, 01 Jan 1970 00:00:00 GMT", "Date": "Fri, 02 Jan 1970 00:00:00 GMT",
      ],
      url: "http://a/")
    #expect(FileVersion.validator(of: response) == version)
  }

  @Test(arguments: [(59, false), (60, true), (61, true)]) func `is a version by a date of a minute ago`(
    seconds: Int, isVersion: Bool
  ) {
    let modified = "Thu, 01 Jan 1970 00:00:00 GMT"
    let date = "Thu, 01 Jan 1970 00:0\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60) GMT"
    let response = HTTPResponse(status: 200, headers: ["Last-Modified": modified, "Date": date], url: "http://a/")
    #expect(FileVersion.validator(of: response) == (isVersion ? modified : nil))
    for name in ["Last-Modified", "Date"] {
      #expect(FileVersion.validator(of: HTTPResponse(status: 200, headers: [name: modified], url: "http://a/")) == nil)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The way of a transfer through redirects` {
  private func plan(
    _ kind: TransferRecord.Kind, _ method: String, _ url: String = "https://a.example/a"
  ) -> RedirectPlan {
    let clock = ManualClock()
    let record = TransferRecord(
      id: 1, session: SessionKey(app: "a", identifier: "b"), kind: kind,
      request: TransferRequest(url: url, method: method), deadline: Countdown(.seconds(9), from: clock.now))
    return RedirectPlan(record, ["Authorization": "secret", "range": "bytes=1-", "X-Key": "k", "Accept": "x"])
  }

  private func response(_ status: Int, _ target: String, from url: String = "https://a.example/a") -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Location": target], url: url)
  }

  @Test func `keeps everything at one server, and only what is harmless at another`() throws {
    var plan = plan(.download, "GET")
    #expect(!plan.sendsBody && plan.hops == 0 && plan.request.maximumRedirects == 0)
    #expect(try plan.follow(response(302, "/b")))
    #expect(plan.hops == 1 && plan.request.url == "https://a.example/b")
    #expect(plan.request.headers.all.map(\.name) == ["Authorization", "range", "X-Key", "Accept"])
    #expect(try plan.follow(response(307, "https://b.example/", from: "https://a.example/b")))
    #expect(plan.hops == 2 && plan.request.headers.all.map(\.name) == ["range", "Accept"])
    #expect(try !plan.follow(response(200, "/c")))
    #expect(plan.hops == 2)
    for target in ["https://a.example:444/", "https://a.example.evil/"] {
      var other = self.plan(.download, "GET")
      #expect(try other.follow(response(302, target)))
      #expect(other.request.headers["Authorization"] == nil, "\(target)")
    }
  }

  @Test func `leads to another server with all that a part of a file needs`() throws {
    let names = ["Accept", "Accept-Language", "Content-Language", "Content-Type", "If-Range", "Range", "User-Agent"]
    for method in ["GET", "HEAD"] {
      var plan = plan(.download, method)
      for name in names { plan.request.headers[name] = name }
      #expect(try plan.follow(response(307, "https://b.example/")))
      #expect(plan.request.method == method && plan.request.headers.all.map(\.value).sorted() == names)
    }
  }

  @Test func `takes a file to the server that was named, and to no other`() throws {
    var same = plan(.upload, "PUT")
    #expect(same.sendsBody)
    #expect(try same.follow(response(307, "/b")))
    #expect(same.sendsBody && same.request.method == "PUT")
    for (method, status) in [("PUT", 307), ("PUT", 302), ("POST", 308), ("DELETE", 301)] {
      var plan = plan(method == "DELETE" ? .download : .upload, method)
      let error = #expect(throws: TransferFailure.self) { try plan.follow(response(status, "https://b.example/")) }
      #expect(error?.code == TransferFailure.Code.redirectToNonExistentLocation.rawValue, "\(method) \(status)")
    }
    // What is only looked at is fetched without the file, wherever that is.
    for status in [301, 302, 303] {
      var plan = plan(.upload, "POST")
      #expect(try plan.follow(response(status, "https://b.example/")))
      #expect(!plan.sendsBody && plan.request.method == "GET")
    }
  }

  @Test func `leads to no server without a secure connection, and not out of HTTP`() throws {
    for (target, code) in [
      ("http://a.example/", TransferFailure.Code.requiresSecureConnection),
      ("ftp://a/", .redirectToNonExistentLocation),
    ] {
      var plan = plan(.download, "GET")
      let error = #expect(throws: TransferFailure.self) { try plan.follow(response(302, target)) }
      #expect(error?.code == code.rawValue && plan.hops == 0)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The place of a finished download` {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: ["a", "a/b", ".hidden", "...", "a b/é", "a/\u{301}b", String(repeating: "a", count: 255)])
  func `is a path in the container`(path: String) { #expect(FinishedFile.isDestination(path)) }

  @Test(arguments: [
    "", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", "a/.", "a\u{0}b", String(repeating: "a", count: 256),
    String(repeating: "é", count: 128), String(repeating: "a/", count: 2_048) + "a",
    "../\u{301}a", "a/../\u{301}b", "/\u{301}a", "a/\u{301}/../b",
  ])
  func `is no other path`(path: String) { #expect(!FinishedFile.isDestination(path)) }

  @Test func `may be 4,096 bytes long`() {
    let longest = String(repeating: "a/", count: 2_047) + "ab"
    #expect(longest.utf8.count == 4_096 && FinishedFile.isDestination(longest))
    #expect(!FinishedFile.isDestination(longest + "c"))
  }

  private func finished(_ bytes: [UInt8], _ body: (FinishedFile) throws -> Void) throws {
    let path = directory.file(UUID().uuidString)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    try body(FinishedFile(descriptor: descriptor, path: path, task: 1))
  }

  @Test func `takes the name from what had it before, in folders that are made`() throws {
    let container = directory.file("container")
    try FileManager.default.createDirectory(atPath: container, withIntermediateDirectories: true)
    for (bytes, place) in [([1], "a"), ([2], "a"), ([3], "b/c/d"), ([4], "b/e"), ([5], "b/\u{301}e")]
      as [([UInt8], String)]
    {
      try finished(bytes) { file in
        #expect(file.move(to: place, in: container) == nil)
        #expect(FileManager.default.contents(atPath: "\(container)/\(place)").map(Array.init) == bytes)
        #expect(!FileManager.default.fileExists(atPath: file.path))
      }
    }
  }

  @Test func `is not behind a link, nor in a file`() throws {
    let container = directory.file("container")
    try FileManager.default.createDirectory(atPath: "\(container)/in", withIntermediateDirectories: true)
    #expect(symlink("/tmp", "\(container)/out") == 0 && symlink("in", "\(container)/link") == 0)
    try Data([1]).write(to: URL(fileURLWithPath: "\(container)/file"))
    for place in ["out/a", "link/a", "file/a", "../a", "/a", "out/\u{301}a", "../\u{301}a"] {
      try finished([1]) { file in
        #expect(file.move(to: place, in: container)?.code == TransferFailure.Code.cannotCreateFile.rawValue, "\(place)")
        #expect(FileManager.default.fileExists(atPath: file.path))
      }
    }
  }

  @Test func `is taken by a file with the right digest alone, of whatever size`() throws {
    // The digests of nothing, of "abc" and of a million letters a (FIPS 180).
    for (bytes, digest) in [
      ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      (Array("abc".utf8), "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"),
      ([UInt8](repeating: 0x61, count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ] as [([UInt8], String)] {
      try finished(bytes) { file in
        #expect(file.check(sha256: digest) == nil && file.synchronize() == nil)
        #expect(
          file.check(sha256: "0" + digest.dropFirst())?.code == TransferFailure.Code.badServerResponse.rawValue)
      }
    }
    let missing = FinishedFile(descriptor: -1, path: "/none", task: 1)
    #expect(missing.check(sha256: "")?.code == TransferFailure.Code.cannotOpenFile.rawValue)
    #expect(missing.synchronize()?.code == TransferFailure.Code.cannotWriteToFile.rawValue)
  }

  @Test(arguments: [
    ("a", true), ("0z.9", true), (String(repeating: "a", count: 64), true), ("", false), ("A", false),
    ("a/b", false), ("é", false), ("{", false), ("`", false), (":", false), (String(repeating: "a", count: 65), false),
  ])
  func `has a name of the journal before`(name: String, isOne: Bool) { #expect(JournalFolder.isName(name) == isOne) }
}

@Suite(.timeLimit(.minutes(1)))
struct `The state of a transfer that runs` {
  private let clock = ManualClock()

  private func live(_ kind: TransferRecord.Kind, total: Int64? = 100, bytes: Int64 = 0) -> LiveTransfer {
    var record = TransferRecord(
      id: 7, session: SessionKey(app: "a", identifier: "b"), kind: kind,
      request: TransferRequest(url: "http://a/", method: kind == .upload ? "PUT" : "GET"),
      deadline: Countdown(.seconds(9), from: clock.now))
    if kind == .download {
      record.part = TransferRecord.Part(
        name: "p", bytes: bytes, durableBytes: 0, total: total, boot: clock.now.boot)
    } else {
      record.bytesExpected = total
    }
    let session = SessionRecord(key: record.session, owner: "o", epoch: 1, group: "g", container: "/c")
    return LiveTransfer(record, of: session, server: "a")
  }

  @Test func `is told to the journal when it has changed, and not once it is finishing or stopped`() {
    for end in 0..<2 {
      let live = live(.upload)
      #expect(live.checkpoint() == nil, "it does not run")
      live.change { $0.isRunning() }
      #expect(live.checkpoint()?.record.state == .running)
      #expect(live.checkpoint() == nil, "nothing has changed")
      live.begin(HTTPProgress(), offset: 5, file: nil)
      #expect(live.checkpoint()?.record.bytesDone == 5)
      if end == 0 { live.finish() } else { live.stop() }
      live.begin(HTTPProgress(), offset: 9, file: nil)
      #expect(live.checkpoint() == nil)
    }
  }

  @Test func `is synced when 64 MiB have come since the last time`() {
    let live = live(.download, total: nil)
    live.change { $0.isRunning() }
    let file = OpenFile(name: "p", descriptor: open("/dev/null", O_RDWR | O_CLOEXEC))
    let step = Int64(64) << 20
    for turn in 0..<2 as Range<Int64> {
      live.begin(HTTPProgress(), offset: (turn + 1) * step - 1, file: file)
      #expect(live.checkpoint().map { $0.file == nil } == true)
      live.begin(HTTPProgress(), offset: (turn + 1) * step, file: file)
      #expect(live.checkpoint()?.file === file)
      live.isDurable(upTo: (turn + 1) * step)
      #expect(live.record.part?.durableBytes == (turn + 1) * step)
    }
    let upload = self.live(.upload)
    upload.change { $0.isRunning() }
    upload.begin(HTTPProgress(), offset: 2 * step, file: nil)
    #expect(upload.checkpoint().map { $0.record.bytesDone == 2 * step && $0.file == nil } == true)
  }

  @Test func `keeps the first reason why it was stopped`() {
    let live = live(.download)
    let (one, two) = (
      TransferFailure(.cancelled, "One.", recovery: "-"), TransferFailure(.badURL, "Two.", recovery: "-")
    )
    #expect(!live.isStopped && live.refusal == nil)
    live.stop()
    #expect(live.isStopped && live.refusal == nil)
    live.stop(one)
    live.stop(two)
    live.stop()
    #expect(live.isStopped && live.refusal == one)
  }

  @Test func `ends an exchange when it is stopped, before or after it has begun`() async {
    let outcome = HTTPFileOutcome(response: nil, end: .whole)
    #expect(await live(.download).untilStopped { outcome }.end == .whole)
    for isEarly in [true, false] {
      let live = live(.download)
      if isEarly { live.stop() }
      let (begun, began) = AsyncStream.makeStream(of: Void.self)
      async let ended = live.untilStopped {
        began.finish()
        while !Task.isCancelled { await Task.yield() }
        return HTTPFileOutcome(response: nil, end: .cannotWrite(1))
      }
      for await _ in begun {}
      live.stop()
      #expect(await ended.end == .cannotWrite(1))
    }
  }

  @Test func `has one key for all attempts, and another for each task, session and machine`() {
    let live = live(.upload)
    var session = live.session
    var keys = Set([live.record.idempotencyKey(in: session)])
    #expect(live.record.idempotencyKey(in: session) == keys.first)
    session.machine = "m"
    keys.insert(live.record.idempotencyKey(in: session))
    session.createdAt = 5
    keys.insert(live.record.idempotencyKey(in: session))
    #expect(keys.count == 3 && keys.allSatisfy { $0.count == 34 && $0.hasPrefix("\"") && $0.hasSuffix("\"") })
  }

  @Test func `may come twice as a download, as a PUT and with a key, and is sent with its last byte`() {
    func record(_ kind: TransferRecord.Kind, _ method: String, _ headers: HTTPFields = [:]) -> TransferRecord {
      TransferRecord(
        id: 1, session: SessionKey(app: "a", identifier: "b"), kind: kind,
        request: TransferRequest(url: "http://a/", method: method, headers: headers),
        deadline: Countdown(.seconds(9), from: clock.now))
    }
    #expect(record(.download, "POST").mayComeTwice && record(.upload, "PUT").mayComeTwice)
    #expect(!record(.upload, "POST").mayComeTwice && !record(.upload, "PATCH").mayComeTwice)
    #expect(record(.upload, "POST", ["idempotency-key": "k"]).mayComeTwice)
    var upload = record(.upload, "POST")
    #expect(upload.isWhollySent, "of unknown length")
    upload.bytesExpected = 5
    #expect(
      ([4, 5, 6] as [Int64]).map { bytes -> Bool in
        upload.bytesDone = bytes
        return upload.isWhollySent
      } == [false, true, true])
    var download = record(.download, "GET")
    download.bytesDone = 5
    #expect(!download.isWhollySent)
  }
}

/// Times and settings that go through a process that ends, and a machine that is set.
@Suite(.timeLimit(.minutes(1)))
struct `The time of a transfer` {
  @Test func `is that of the machine, whatever its clock is set to, and after a restart no less than since then`() {
    let clock = ManualClock()
    let countdown = Countdown(.seconds(100), from: clock.now)
    #expect(countdown.left(at: clock.now) == .seconds(100))
    clock.setWall(by: .seconds(1_000))
    clock.advance(.seconds(10))
    #expect(countdown.left(at: clock.now) == .seconds(90))
    clock.setWall(by: .seconds(-1_000))
    clock.reboot(off: .seconds(20))
    #expect(clock.now.elapsed(since: countdown.start) == .seconds(30) && countdown.left(at: clock.now) == .seconds(70))
    clock.setWall(by: .seconds(-500))
    clock.advance(.seconds(5))
    #expect(countdown.left(at: clock.now) == .seconds(95))
    clock.advance(.seconds(95))
    #expect(countdown.left(at: clock.now) == .zero)
    clock.advance(.seconds(95))
    #expect(countdown.left(at: clock.now) == .zero)
  }

  @Test func `does not overflow`() {
    let early = TransferInstant(boot: "a", sinceBoot: .min, wall: .min)
    let late = TransferInstant(boot: "a", sinceBoot: .max, wall: .max)
    let other = TransferInstant(boot: "b", sinceBoot: 5, wall: .max)
    #expect(late.elapsed(since: early) == .nanoseconds(Int64.max) && early.elapsed(since: late) == .zero)
    #expect(other.elapsed(since: early) == .nanoseconds(Int64.max))
    #expect(TransferInstant(boot: "b", sinceBoot: 5, wall: .min).elapsed(since: late) == .nanoseconds(5))
  }

  @Test(
    arguments: [
      (0, 0), (1.5, 1.5), (315_360_000, 315_360_000), (315_360_001, 315_360_000), (-1, 315_360_000),
      (1e300, 315_360_000),
    ] as [(Double, Double)])
  func `that a session sets is from none to ten years`(given: Double, seconds: Double) throws {
    var configuration = SessionConfiguration()
    configuration.isDiscretionary = true
    configuration.sendsLaunchEvents = false
    configuration.maximumConnectionsPerHost = 7
    configuration.additionalHeaders = ["A": "b"]
    var object = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(configuration)) as? [String: Any])
    #expect(
      try JSONDecoder().decode(SessionConfiguration.self, from: JSONEncoder().encode(configuration)) == configuration)
    for key in ["timeoutForRequest", "timeoutForResource"] { object[key] = given }
    let read = try JSONDecoder().decode(
      SessionConfiguration.self, from: JSONSerialization.data(withJSONObject: object))
    #expect(read.timeoutForRequest == .seconds(seconds) && read.timeoutForResource == .seconds(seconds))
    #expect(read.isDiscretionary && !read.sendsLaunchEvents && read.maximumConnectionsPerHost == 7)
    #expect(read.additionalHeaders == configuration.additionalHeaders)
  }
}
