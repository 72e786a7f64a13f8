import ExtensionProtocol
import Foundation
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1))) struct `The user of an app` {
  private let folder: TemporaryFolder
  private var state: StateDirectory { StateDirectory(path: "\(folder.path)/state") }
  private var path: String { "\(folder.path)/state/users.json" }

  init() throws { folder = try TemporaryFolder() }

  @Test func `is nobody else's, and stays the same in every host`() async throws {
    var given: [String: UInt32] = [:]
    for number in 0..<8 {
      given["app\(number)"] = try await ExtensionUsers(state: state).given(toApp: "app\(number)").uid
    }
    #expect(Set(given.values).count == given.count)
    let range = 1_879_048_192...2_147_483_647 as ClosedRange<UInt32>
    #expect(given.values.allSatisfy { range.contains($0) && $0 != ExtensionUser.range.lowerBound })
    for (app, user) in given { #expect(try await ExtensionUsers(state: state).given(toApp: app).uid == user) }
  }

  @Test func `is given out once when many hosts ask at the same time`() async throws {
    let users = try await withThrowingTaskGroup(of: UInt32.self) { tasks in
      for number in 0..<24 {
        tasks.addTask { try await ExtensionUsers(state: state).given(toApp: "app\(number % 12)").uid }
      }
      return try await tasks.reduce(into: [UInt32]()) { $0.append($1) }
    }
    #expect(Set(users).count == 12)
  }

  /// Two names of one hash, which were one user before users were given out: `FNV-1a` of 32 bits, folded to 28.
  @Test func `does not follow from what the app is called`() async throws {
    func hash(_ name: String) -> UInt32 {
      name.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 } % 268_435_456
    }
    var seen: [UInt32: String] = [:]
    var pair: (String, String)?
    for number in 0..<1_000_000 {
      let name = "org.app\(number)"
      if let other = seen.updateValue(name, forKey: hash(name)) { pair = (other, name) }
      if pair != nil { break }
    }
    let (one, other) = try #require(pair)
    let users = ExtensionUsers(state: state)
    #expect(try await users.given(toApp: one) != users.given(toApp: other))
  }

  @Test func `comes after all others at the end of the range, and begins it anew`() {
    var record = UserRecord(beginningAt: ExtensionUser.ofApps.upperBound)
    #expect(record.give(toApp: "a") == ExtensionUser.ofApps.upperBound)
    #expect(record.give(toApp: "b") == ExtensionUser.ofApps.lowerBound)
    #expect(record.give(toApp: "a") == ExtensionUser.ofApps.upperBound)
    #expect(record.give(toApp: "c") == ExtensionUser.ofApps.lowerBound + 1)
  }

  @Test func `is none that another app has, whatever the record takes for the next one`() throws {
    let text = #"{"format":1,"users":{"a":1900000000,"b":1900000001,"d":1900000003},"nextUser":1900000000}"#
    var record = try UserRecord(parsing: Array(text.utf8))
    #expect(record.user(ofApp: "b") == 1_900_000_001 && record.user(ofApp: "c") == nil)
    let given = ["c", "e", "f", "c"].map { record.give(toApp: $0) }
    #expect(given == [1_900_000_002, 1_900_000_004, 1_900_000_005, 1_900_000_002])
    #expect(record.user(ofApp: "c") == 1_900_000_002 && record.users.count == 6)
  }

  @Test(arguments: [
    "", "{", #"{"format":1,"users":{"a":0},"nextUser":1900000000}"#,
    #"{"format":1,"users":{"a":1000},"nextUser":1900000000}"#,
    #"{"format":1,"users":{"a":1900000001,"b":1900000001},"nextUser":1900000002}"#,
    #"{"format":1,"users":{},"nextUser":5}"#, #"{"format":1,"users":{"a":-1},"nextUser":1900000000}"#,
    #"{"format":2,"users":{},"nextUser":1900000000}"#,
  ])
  func `is not given out anew when the record is damaged or of a later format`(text: String) async throws {
    try folder.write("state/users.json", text.utf8)
    let caught = await #expect(throws: ExtensionError.self) { try await ExtensionUsers(state: state).given(toApp: "a") }
    #expect(caught?.code == .storeFailed)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  /// A version of before gave out other users.
  @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
  func `gets what its folder holds of another user, and nothing that is someone else's`() throws {
    let old: UInt32 = 1_900_000_000
    let user = ExtensionUser(uid: 1_900_000_001)
    let container = "\(state.path)/containers/a"
    try folder.write("state/containers/a/sub/file", "x".utf8)
    try folder.write("state/containers/a/root's", "x".utf8)
    try folder.write("outside", "x".utf8)
    #expect(symlink("\(folder.path)/outside", "\(container)/link") == 0)
    for path in ["", "/sub", "/sub/file", "/link"] { #expect(lchown(container + path, old, old) == 0) }
    #expect(chmod("\(container)/sub", 0) == 0)
    #expect(try state.folder("containers/a", owner: user) == container)
    func owner(_ path: String) -> UInt32 {
      var info = stat()
      return lstat(path, &info) == 0 ? info.st_uid : .max
    }
    for path in ["", "/sub", "/sub/file", "/link"] { #expect(owner(container + path) == user.uid, "\(path)") }
    #expect(owner("\(container)/root's") == 0)
    #expect(owner("\(folder.path)/outside") == 0)
  }
}
