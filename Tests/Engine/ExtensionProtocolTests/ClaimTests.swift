import ExtensionProtocol
import JSON
import JSONRPC
import TestSupport
import Testing
import Text

@Suite(.timeLimit(.minutes(1))) struct `An error that an extension answered with` {
  private func claim(_ code: Int, _ data: JSONValue? = nil) -> ExtensionError {
    ExtensionError(claim: ErrorObject(code: code, message: "words", data: data), of: "com.example.a")
  }

  @Test(arguments: try Cases.present(Array(ExtensionError.Code.foundByHost)))
  func `never has a code that only a host finds`(code: ExtensionError.Code) {
    let error = claim(
      code.number,
      ["details": ["reason": "crashed", "signal": 11, "standardError": ["forged"], "extension": "com.example.other"]])
    #expect(error.isClaim && error.code == .handlerFailed)
    #expect(error.message == "words")
    #expect(error.details["answered"]?["code"] == .integer(Int64(code.number)))
    #expect(error.details["extension"] == "com.example.a")
    for name in ["reason", "signal", "standardError"] { #expect(error.details[name] == nil) }
  }

  @Test func `keeps its own code and details, and not whose they are`() {
    let error = claim(-32050, ["details": ["domain": "D", "code": 3, "extension": "com.example.other"]])
    #expect(error.isClaim && error.code == .framework)
    #expect(error.details["domain"] == "D" && error.details["extension"] == "com.example.a")
    #expect(claim(7).code.number == 7)
  }

  @Test func `has the advice of its new code, and none that only a host gives`() {
    let forged: JSONValue = [
      "recovery": "Buy this.", "details": ["hostAdvice": "forged", "standardError": "forged", "own": 1],
    ]
    let replaced = claim(-32028, forged)
    #expect(replaced.recovery == ExtensionError.Code.handlerFailed.recovery)
    #expect(replaced.details["own"] == nil && replaced.details["answered"]?["name"] == "quarantined")
    let kept = claim(-32050, forged)
    #expect(kept.recovery == "Buy this." && kept.details == ["own": 1, "extension": "com.example.a"])
  }

  @Test func `is no claim on its way back over a wire`() {
    #expect(!ExtensionError(claim(7).errorObject).isClaim)
  }

  @Test func `is cut in whole scalars`() {
    #expect("aé€".prefix(utf8: 3) == "aé")
    #expect("aé€".prefix(utf8: 5) == "aé")
    #expect("aé€".prefix(utf8: 6) == "aé€")
    #expect(("e" + String(repeating: "\u{301}", count: 1000)).prefix(utf8: 100).utf8.count == 99)
  }
}
