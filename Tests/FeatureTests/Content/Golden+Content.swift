import ExtensionHosting
import HostServices
import JSONRPC
import PropertyList

extension Golden {
  static let content: [Golden] = [
    Golden(
      Content.Execute(query: "wknd-shared/adventure-by-slug", variables: ["slug": "caves"]),
      Content.Execute.Result(
        data: ["adventureList": ["items": []]], errors: [["message": "Partial."]], source: "cache", ageSeconds: 12))
  ]
}
