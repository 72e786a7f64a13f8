import CEL
import JSON
import Testing
import Time

@testable import DataConnectEmulator

struct `An expression of an operation` {
  private func scope(_ caller: OperationCaller, _ variables: JSONObject = [:]) -> ExpressionScope {
    ExpressionScope(
      caller, variables: variables, operation: "Op", time: UnixTime(seconds: 1_000, nanoseconds: 0), ExpressionTable(),
      cost: 10_000)
  }

  private func user(_ claims: JSONObject = [:]) throws -> OperationCaller {
    var claims = claims
    claims["sub"] = "u"
    return .user(try #require(Claims(claims)))
  }

  @Test func `knows who calls`() throws {
    #expect(scope(try user()).holds("auth.uid == 'u' && auth != null && request.auth.uid == 'u'"))
    #expect(scope(try user(["role": "admin"])).holds("auth.token.role == 'admin'"))
  }

  @Test func `finds nobody where there is no token`() {
    #expect(scope(.nobody).holds("auth.uid == nil"))
    #expect(!scope(.nobody).holds("auth.uid != nil"))
    #expect(!scope(.nobody).holds("auth != null"))
    #expect(scope(.nobody).holds("auth == null && request.auth == null"))
  }

  @Test(arguments: ["auth.token.role == 'admin'", "auth.token.a.b == 1", "vars.x", "this != null", "1", "nothing"])
  func `is a no where something is missing`(text: String) throws {
    #expect(!scope(try user()).holds(text))
    #expect(!scope(.nobody).holds(text))
  }

  @Test func `knows the variables, the operation and the time`() throws {
    let scope = scope(.nobody, ["x": 3, "y": ["a": "b"]])
    #expect(scope.holds("vars.x == 3 && vars.y.a == 'b' && !has(vars.z) && request.operationName == 'Op'"))
    #expect(try scope.evaluate("request.time").json == "1970-01-01T00:16:40Z")
  }

  @Test func `knows what earlier fields came to`() throws {
    let scope = scope(.nobody)
    #expect(!scope.holds("response.step.id == 'a'"))
    scope.keep(["id": "a"], as: "step")
    #expect(scope.holds("response.step.id == 'a'"))
  }
}
