import Foundation
import Testing

/// Web applications as authlib and requests-oauthlib make them, which Debian has as packages.
private let areThere = ["authlib", "requests", "requests_oauthlib"].allSatisfy {
  FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/\($0)/__init__.py")
}

@Suite(.timeLimit(.minutes(2)), .enabled(if: areThere))
struct `A web application from outside` {
  private static let script = """
    import html, os, re, sys, warnings
    warnings.simplefilter("ignore")
    os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
    import requests
    from authlib.integrations.requests_client import OAuth2Session
    from authlib.jose import JsonWebKey, jwt
    from requests_oauthlib import OAuth2Session as OtherSession

    base, user, password = sys.argv[1:4]
    meta = requests.get(base + "/.well-known/openid-configuration").json()
    secret, address = "a secret of sixteen bytes", "http://localhost:8080/callback"

    def sign_in(url):
        page = requests.get(url)
        found = html.unescape(re.search(r'name="request" value="([^"]+)"', page.text).group(1))
        form = {"request": found, "username": user, "password": password, "decision": "approve"}
        back = requests.post(meta["authorization_endpoint"], data=form, allow_redirects=False)
        return back.headers["Location"]

    client = OAuth2Session("web", secret, redirect_uri=address, scope="openid profile email offline_access")
    url, _ = client.create_authorization_url(meta["authorization_endpoint"])
    token = client.fetch_token(meta["token_endpoint"], authorization_response=sign_in(url))
    keys = JsonWebKey.import_key_set(requests.get(meta["jwks_uri"]).json())
    claims = jwt.decode(token["id_token"], keys, claims_options={"iss": {"value": meta["issuer"]}, "aud": {"value": "web"}})
    claims.validate()
    told = requests.get(meta["userinfo_endpoint"], headers={"Authorization": "Bearer " + token["access_token"]}).json()
    print("authlib", told["preferred_username"], told["sub"] == claims["sub"] != claims["oid"])
    print("renewed", "access_token" in client.refresh_token(meta["token_endpoint"], token["refresh_token"]))

    scope = "api://11112222-bbbb-3333-cccc-4444dddd5555/Items.Read"
    own = OAuth2Session("web", secret, scope=scope).fetch_token(meta["token_endpoint"], grant_type="client_credentials")
    headers = {"Authorization": "Bearer " + own["access_token"]}
    print("service", requests.get(base + "/api1/items", headers=headers).status_code)

    other = OtherSession("web", redirect_uri=address, scope=["openid", "profile"])
    url, _ = other.authorization_url(meta["authorization_endpoint"])
    token = other.fetch_token(meta["token_endpoint"], authorization_response=sign_in(url), client_secret=secret)
    print("oauthlib", "id_token" in token)
    """

  @Test func `signs a user in at the identity server with its defaults, and calls an API as itself`() async throws {
    let folder = try TemporaryFolder()
    let clients = try folder.write(
      "clients.json",
      """
      {"clients": [{"id": "web", "secret": "a secret of sixteen bytes", "pkce": false,
        "redirectURIs": ["http://localhost:8080/callback"]}]}
      """)
    let stage = try await AuthStage("--client", clients)
    try stage.host.folder.write("client.py", Self.script)
    let output = try await stage.host.shell(
      "python3 \(stage.host.folder.path)/client.py \(stage.url) \(AuthStage.rider) '\(AuthStage.password)'")
    #expect(
      output.stdout == "authlib \(AuthStage.rider) True\nrenewed True\nservice 200\noauthlib True\n", "\(output)")
  }
}
