import JSONRPC
import ExtensionHosting
import HostServices
import JSON

extension Golden {
  private static let ada = Auth.Account(id: "u1.t1", username: "ada@example.com", name: "Ada", signedIn: true)

  static let auth: [Golden] = [
    Golden(
      Auth.Fetch(
        Network.Fetch(
          url: "https://api.example.com/notes", method: "POST", headers: ["Accept": "application/json"],
          body: Network.Body(text: "{}"), timeoutMs: 5000, maxBytes: 65_536, delivery: .inline, requestID: "r1"),
        scopes: ["api://notes/Notes.Read"], account: "u1.t1"),
      Network.Fetch.Result(
        status: 200, headers: ["content-type": "application/json"], finalURL: "https://api.example.com/notes",
        body: Network.Body(text: "{\"id\":7}"), bytes: 8)),
    Golden(
      Auth.Token(scopes: ["api://notes/Notes.Read"], account: "u1.t1", forceRefresh: true, claims: "{}"),
      Auth.Token.Result(
        accessToken: "opaque", scopes: ["api://notes/Notes.Read"], expiresAt: 1_800_000_000, account: "u1.t1")),
    Golden(Auth.Accounts(), Auth.Accounts.Result(accounts: [ada])),
    Golden(
      Auth.RequestSignIn(
        reason: "Notes are kept at example.com.", scopes: ["api://notes/Notes.Read"], loginHint: "ada@example.com"),
      Auth.RequestSignIn.Result(state: .signedIn, account: ada)),
    Golden(
      Auth.Begin(
        flow: .signUp, username: "ada@example.com", password: "old", attributes: ["city": "Bath"],
        scopes: ["api://notes/Notes.Read"]),
      Auth.Begin.Result(
        flowID: "f1",
        state: Auth.State(
          .codeRequired, code: Auth.SentCode(sentTo: "a***a@x", channel: "email", length: 8, resendAfterSeconds: 300)))
    ),
    Golden(
      Auth.Begin(flow: .signIn, username: "ada@example.com"),
      Auth.Begin.Result(
        flowID: "f2",
        state: Auth.State(
          .attributesRequired,
          attributes: [Auth.Attribute(name: "city", type: "string", isRequired: true, pattern: ".+")]))),
    Golden(
      Auth.Continue(flowID: "f1", oneTimeCode: "12345678"),
      Auth.Progress(
        state: Auth.State(
          .methodRequired, methods: [Auth.Method(id: "m1", channel: "sms", hint: "***45")],
          problem: Auth.Problem(
            kind: "invalidCode", message: "The code is wrong.", recovery: "Check the code.", correlationID: "c1",
            names: ["a"])))),
    Golden(
      Auth.Continue(flowID: "f1", methodID: "m1", contact: "+4915112345"),
      Auth.Progress(state: Auth.State(.completed, account: ada))),
    Golden(Auth.Resend(flowID: "f1"), Auth.Progress(state: Auth.State(.passwordRequired))),
    Golden(Auth.Cancel(flowID: "f1"), Auth.Progress(state: Auth.State(.cancelled))),
    Golden(Auth.SignOut(account: "u1.t1"), Empty()),
  ]
}
