import JSONRPC
import ExtensionHosting
import HostServices
import JSON
import PropertyList

extension Golden {
  static let content: [Golden] = [
    Golden(
      Content.Execute(query: "wknd-shared/adventure-by-slug", variables: ["slug": "caves"], refresh: false),
      Content.Execute.Result(
        data: ["adventureList": ["items": []]],
        errors: [
          Content.QueryError(
            message: "Partial.", path: ["adventureList", "items", 0],
            extensions: ["classification": "DataFetchingException"])
        ], httpStatus: 200, source: .cache, ageSeconds: 12)),
    Golden(
      Content.Image(
        path: "/adobe/dynamicmedia/deliver/dm-aid--1/caves.jpg", width: 600, height: 400, format: "JPG", quality: 80,
        refresh: true),
      Content.Image.Result(file: "picture-1", mimeType: "image/jpeg", bytes: 512, source: .network, ageSeconds: 0)),
  ]
}
