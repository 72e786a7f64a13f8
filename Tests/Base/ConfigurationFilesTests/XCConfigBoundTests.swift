import ConfigurationFiles
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `An xcconfig file at its bounds` {
  private func read(_ files: [String: String]) -> Result<XCConfig, ConfigurationError> {
    Result { () throws(ConfigurationError) in try XCConfig(path: "A") { files[$0] } }
  }

  private func config(_ text: String) throws -> XCConfig { try read(["A": text]).get() }

  private func message(_ text: String) -> String? {
    guard case .failure(let error) = read(["A": text]) else { return nil }
    return error.message
  }

  @Test func `has values that stand for each other 63 times, and not 64`() throws {
    func chain(_ count: Int) -> String {
      (0..<count).map { "A\($0) = $(A\($0 + 1))\n" }.joined() + "A\(count) = end"
    }
    #expect(try config(chain(63))["A0"] == "end")
    #expect(message(chain(64))?.contains("64 times") == true)
  }

  @Test(arguments: ["x", "é"]) func `has values of 64 KiB out of others`(letter: String) throws {
    let most = String(repeating: letter, count: 65_536 / letter.utf8.count)
    #expect(try config("L = \(most)\nB = $(L)")["B"] == most)
    #expect(message("L = \(most)x\nB = $(L)")?.contains("65536 bytes") == true)
    #expect(message("L = \(most)\nB = x$(L)")?.contains("65536 bytes") == true)
  }

  @Test func `has values of one MiB together`() throws {
    let line = "L = " + String(repeating: "x", count: 65_536) + "\n"
    let copies = (1..<16).map { "B\($0) = $(L)\n" }.joined()
    #expect(try config(line + copies).settings.count == 16)
    #expect(message(line + copies + "C = x")?.contains("1048576 bytes") == true)
  }

  @Test(arguments: [(255, true), (256, false)]) func `includes 255 files`(count: Int, isRead: Bool) throws {
    let include = String(repeating: "#include \"b\"\n", count: count)
    let found = read(["A": include, "b": "B = 1"])
    #expect((try? found.get()["B"]) == (isRead ? "1" : nil))
  }

  @Test func `counts a file that is missing, and reads one again that it has read`() throws {
    let missing = String(repeating: "#include? \"none\"\n", count: 256)
    #expect(throws: ConfigurationError.self) { try read(["A": missing]).get() }
    let twice = try read(["A": "#include \"b\"\nB = 2\n#include \"b\"", "b": "B = 1"]).get()
    #expect(twice["B"] == "1" && twice.settings.map(\.key) == ["B"])
  }

  @Test(arguments: [
    ("azAZ09_", true), ("_", true), ("0a", false), ("9a", false), ("a/", false), ("a:", false), ("@", false),
    ("a[", false), ("a`", false), ("a{", false), ("ä", false),
  ])
  func `has names of letters, digits and underscores`(key: String, isKey: Bool) {
    #expect((try? config("\(key) = 1").setting(key)?.value) == (isKey ? "1" : nil))
  }

  @Test func `warns of each reference to nothing`() throws {
    #expect(try config("B = $(N)$(N)\nC = $(B)$(B)").warnings.count == 2)
    #expect(try config("B = $()$(inherited)").warnings.isEmpty)
    #expect(try config("B = 1\t// fine\nC = 1 // fine\nD =// cut").warnings.map(\.place.line) == [3])
  }

  @Test func `says which settings lead to themselves, from the first that does`() {
    guard case .failure(let error) = read(["A": "X = 1\nP = $(Q)\nQ = $(R)\nR = $(Q)"]) else {
      Issue.record("It was read.")
      return
    }
    #expect(error.message == "A:4: The settings refer to each other: P → Q → R → Q.")
    #expect(error.recovery == "Write one of the values without $(Q)." && error.key == "P" && error.place?.line == 4)
  }

  @Test func `says which file is missing or cannot be read, and where it is included`() {
    struct Failed: Error, CustomStringConvertible { let description = "it is odd" }
    func failure(_ files: [String: String]) -> ConfigurationError? {
      #expect(throws: ConfigurationError.self) {
        try XCConfig(path: "A") { path in
          if path == "bad" { throw Failed() }
          return files[path]
        }
      }
    }
    let first = failure([:])
    #expect(first?.message == "There is no file A." && first?.recovery == "Check the path." && first?.place == nil)
    // What may be missing has to be readable where it is there.
    let second = failure(["A": "X = 1\n#include? \"none\"\n#include? \"bad\""])
    #expect(second?.message == "A:3: The file bad cannot be read: it is odd.")
    #expect(second?.recovery == "Check the file and its permissions." && second?.place?.line == 3)
  }

  @Test func `has one MiB on the disk, and is a text`() throws {
    let directory = try TemporaryDirectory()
    let end = "\nB = 1"
    for (count, isRead) in [(1 << 20, true), ((1 << 20) + 1, false)] {
      let filler = "//" + String(repeating: "x", count: count - 2 - end.utf8.count)
      let path = try directory.write(filler + end, to: "A")
      #expect((try? XCConfig(contentsOf: path)["B"]) == (isRead ? "1" : nil))
    }
    for (text, name) in [("a\0b", "NUL"), ("none", "no file"), ("", "regular")] {
      let error = #expect(throws: ConfigurationError.self) { try XCConfig(contentsOf: "\(directory.path)/\(text)") }
      #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
    }
    // What lies below a file is missing too.
    let path = try directory.write("#include? \"A/b\"\nB = 2", to: "B")
    // What interrupted an earlier call of this thread is of no matter at the end of a file.
    errno = EINTR
    #expect(try XCConfig(contentsOf: path)["B"] == "2")
  }
}
