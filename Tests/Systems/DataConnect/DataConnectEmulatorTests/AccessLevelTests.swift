import HTTPServer
import JSON
import Testing
import Time

@testable import DataConnectCompiler
@testable import DataConnectEmulator

/// Who may execute an operation, each caller at each level; without a database.
@Suite(.timeLimit(.minutes(1)))
struct `The access to an operation` {
  private static func user(_ claims: JSONObject = [:], name: JSONValue = "u") -> OperationCaller {
    var claims = claims
    claims["sub"] = name
    return Claims(claims).map(OperationCaller.user) ?? .nobody
  }

  private static let guest: JSONObject = ["firebase": ["sign_in_provider": "anonymous"]]

  private func refusal(_ grant: OperationAccess.Grant, of caller: OperationCaller) -> FailureCode? {
    let scope = ExpressionScope(
      caller, variables: ["uid": "u"], operation: "O", time: UnixTime(seconds: 1_000, nanoseconds: 0),
      ExpressionTable(), cost: 10_000)
    return OperationAccess(grant: grant, insecureReason: nil).refusal(of: caller, scope)?.code
  }

  private static let levels: [OperationAccess.Level] = [.everybody, .anybodyWithToken, .user, .verifiedUser, .nobody]

  @Test(
    arguments: [
      (.administrator, [nil, nil, nil, nil, nil]),
      (.nobody, [nil, .unauthenticated, .unauthenticated, .unauthenticated, .permissionDenied]),
      (user(guest), [nil, nil, .unauthenticated, .unauthenticated, .permissionDenied]),
      (user(), [nil, nil, nil, .unauthenticated, .permissionDenied]),
      (user(["email_verified": true]), [nil, nil, nil, nil, .permissionDenied]),
      (user(["email_verified": false]), [nil, nil, nil, .unauthenticated, .permissionDenied]),
      (user(["email_verified": "true"]), [nil, nil, nil, .unauthenticated, .permissionDenied]),
      (user(["email_verified": 1]), [nil, nil, nil, .unauthenticated, .permissionDenied]),
      // A guest whose address is verified is a guest all the same.
      (
        user(["email_verified": true, "firebase": ["sign_in_provider": "anonymous"]]),
        [nil, nil, .unauthenticated, .unauthenticated, .permissionDenied]
      ),
      (
        user(["email_verified": true, "firebase": ["sign_in_provider": "password"]]),
        [nil, nil, nil, nil, .permissionDenied]
      ), (user(["firebase": "anonymous"]), [nil, nil, nil, .unauthenticated, .permissionDenied]),
    ] as [(OperationCaller, [FailureCode?])])
  func `is had by the level of the operation`(caller: OperationCaller, expected: [FailureCode?]) {
    #expect(Set(Self.levels) == Set(OperationAccess.Level.allCases))
    #expect(Self.levels.map { refusal(.level($0), of: caller) } == expected)
  }

  @Test(
    arguments: [
      ("auth.uid == vars.uid", user(), nil),
      ("auth.uid == vars.uid", user(name: "v"), .permissionDenied),
      ("auth.uid == vars.uid", .nobody, .unauthenticated), ("auth.uid == vars.uid", .administrator, nil),
      ("true", .nobody, nil), ("false", .nobody, .unauthenticated), ("false", .administrator, nil),
      ("false", user(), .permissionDenied),
      // Neither what fails nor what is no truth lets anybody in.
      ("auth.token.role.name == 'a'", user(), .permissionDenied),
      ("1", user(), .permissionDenied), ("'true'", .nobody, .unauthenticated),
    ] as [(String, OperationCaller, FailureCode?)])
  func `is had by its expression`(text: String, caller: OperationCaller, expected: FailureCode?) {
    #expect(refusal(.expression(text), of: caller) == expected)
  }

  @Test func `of an administrator is refused with words that say what helps`() {
    func message(_ administrators: Administrators, _ word: String) -> String? {
      let request = ServerRequest(path: "/", headers: [ServerField("Authorization", word)])
      do throws(RequestFailure) {
        try administrators.admit(request)
        return nil
      } catch {
        #expect(error.code == .unauthenticated)
        return error.message
      }
    }
    let closed = Administrators(secret: "secret", allowsOwner: false)
    #expect(message(closed, "Bearer owner")?.contains("--allow-owner") == true)
    #expect(message(closed, "Bearer other")?.contains("Authorization: Bearer SECRET") == true)
    #expect(message(closed, "Bearer secret") == nil)
    let open = Administrators(secret: "secret", allowsOwner: true)
    #expect(message(open, "Bearer owner") == nil && message(open, "Bearer secret") == nil)
    #expect(message(open, "Bearer owners")?.contains("Authorization: Bearer SECRET") == true)
  }
}
