import ExtensionProtocol
import JSON
import JSONRPC
import TestSupport
import Testing
import Text

@Suite(.timeLimit(.minutes(1))) struct `An error on the wire` {
  private typealias Code = ExtensionError.Code

  private func read(_ code: Int, _ data: JSONValue?) -> ExtensionError {
    ExtensionError(ErrorObject(code: code, message: "words", data: data))
  }

  @Test func `comes back with all that it had`() {
    let error = ExtensionError(
      Code(number: 12, name: "own"), "It broke.", recovery: "Mend it.", details: ["b": 1, "a": [.null]],
      cause: ["first", "second"])
    let object = error.errorObject
    #expect(object.code == 12 && object.message == "It broke.")
    #expect(
      object.data == [
        "name": "own", "recovery": "Mend it.", "details": ["a": [.null], "b": 1], "cause": ["first", "second"],
      ])
    let back = ExtensionError(object)
    #expect(back.code.number == 12 && back.code.name == "own" && back.message == "It broke.")
    #expect(back.recovery == "Mend it." && back.details == error.details && back.cause == error.cause)
    #expect(ExtensionError(Code(number: 12, name: "own"), "x").errorObject.data == ["name": "own"])
  }

  @Test func `with a number of the table has its name and its advice`() {
    let error = read(-32022, ["name": "forged"])
    #expect(error.code == .permissionDenied && error.code.name == "permissionDenied")
    #expect(error.recovery == Code.permissionDenied.recovery)
    let unknown = read(99, nil)
    #expect(unknown.code.name == "code99" && unknown.recovery == nil && unknown.details.isEmpty)
    #expect(read(99, ["name": "own"]).code.name == "own" && read(99, ["name": 1]).details == ["name": 1])
  }

  @Test func `keeps what is no member of an error, and leaves out what is no cause`() {
    let error = read(99, ["kind": "x", "details": ["a": 1], "cause": ["first", 2, "third"], "recovery": 7])
    #expect(error.details == ["kind": "x", "a": 1, "recovery": 7] && error.cause == ["first", "third"])
    #expect(error.recovery == nil)
    #expect(read(99, "text").details == ["data": "text"] && read(99, .null).details == ["data": .null])
    #expect(read(99, [1]).details == ["data": [1]])
  }

  @Test func `is made of every error`() {
    struct Broken: Error, CustomStringConvertible { let description = "It is broken." }
    let own = ExtensionError(.queueFull, "full", details: ["a": 1])
    #expect(ExtensionError(wrapping: own).details == ["a": 1])
    #expect(ExtensionError(wrapping: ErrorObject(code: -32030, message: "m", data: nil)).code == .limitExceeded)
    #expect(ExtensionError(wrapping: CancellationError()).code == .cancelled)
    let other = ExtensionError(wrapping: Broken())
    #expect(other.code == .handlerFailed && other.message == "It is broken.")
  }

  @Test func `has one code for each number, with advice`() throws {
    let table = try Cases.present(Code.table)
    #expect(Set(table.map(\.code.number)).count == table.count && Set(table.map(\.code.name)).count == table.count)
    for (code, recovery) in table {
      #expect(code.recovery == recovery && recovery.hasSuffix("."))
      #expect(Code(number: code.number).name == code.name)
    }
    #expect(
      Code.foundByHost == [
        .peerExited, .deadlineExceeded, .frameTooLarge, .queueFull, .shuttingDown, .protocolViolation, .launchFailed,
        .sandboxUnavailable, .versionUnsupported, .quarantined, .extensionUnknown, .extensionInvalid, .cancelled,
      ])
  }

  @Test func `is cut where the next character would pass the bound`() {
    #expect("".prefix(utf8: 0) == "" && "a".prefix(utf8: 0) == "" && "ab".prefix(utf8: 1) == "a")
    #expect("😀".prefix(utf8: 3) == "" && "😀".prefix(utf8: 4) == "😀" && "😀a".prefix(utf8: 4) == "😀")
  }
}
