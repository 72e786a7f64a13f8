import Testing

@testable import ContentServer

@Suite(.timeLimit(.minutes(1)))
struct `A path of the content server` {
  private static let delivery = "/adobe/dynamicmedia/deliver/dm-aid--"

  @Test(arguments: [
    ("/graphql/execute.json", ContentEndpoint.execute(suffix: "")),
    ("/graphql/execute.json/a/b;c=d", .execute(suffix: "/a/b;c=d")),
    ("/graphql/execute.json;c=d", .execute(suffix: ";c=d")), ("graphql/execute.json/", .execute(suffix: "/")),
    ("///graphql/execute.json//a", .execute(suffix: "//a")),
    ("/graphql/execute.jsonx", .asset(path: "/graphql/execute.jsonx")),
    ("/graphql//execute.json", .asset(path: "/graphql//execute.json")),
    ("/graphql/execute", .asset(path: "/graphql/execute")), ("/graphql/persist.json/a/b", .persist(suffix: "/a/b")),
    ("/graphql/persist.json", .persist(suffix: "")), ("/graphql/persist.json;a", .persist(suffix: ";a")),
    ("/graphql/persist.jsonx", .asset(path: "/graphql/persist.jsonx")), ("/graphql/list.json", .list(suffix: "")),
    ("/graphql/list.json/a", .list(suffix: "/a")), ("/graphql/list.json.x", .asset(path: "/graphql/list.json.x")),
    ("/content/cq:graphql/site/endpoint.json", .adHoc(configuration: "site")),
    ("/content/_cq_graphql/site/endpoint", .adHoc(configuration: "site")),
    ("/content/graphql/global/endpoint.json", .adHoc(configuration: nil)),
    ("/content/graphql/Global/endpoint.json", .adHoc(configuration: "Global")),
    ("//content//graphql/site/endpoint.json/", .adHoc(configuration: "site")),
    ("/content/graphql/global/endpoint.GQLschema", .schema(configuration: nil)),
    ("/content/cq:graphql/site/endpoint.GQLschema", .schema(configuration: "site")),
    ("/content/graphql/site/endpoint.xml", .asset(path: "/content/graphql/site/endpoint.xml")),
    ("/content/graphql/site/endpoint.gqlschema", .asset(path: "/content/graphql/site/endpoint.gqlschema")),
    ("/content/graphql/endpoint.json", .asset(path: "/content/graphql/endpoint.json")),
    ("/content/graphql/a/b/endpoint.json", .asset(path: "/content/graphql/a/b/endpoint.json")),
    ("/content/dam/site/endpoint.json", .asset(path: "/content/dam/site/endpoint.json")),
    ("/conf/graphql/site/endpoint.json", .asset(path: "/conf/graphql/site/endpoint.json")),
    ("/libs/granite/core/content/login.html", .loginPage),
    ("//libs/granite/core/content/login.html", .loginPage),
    ("/libs/granite/core/content/login.html/", .asset(path: "/libs/granite/core/content/login.html/")),
    ("\(delivery)i/hill.jpg", .rendition(identifier: "i", name: "hill.jpg")),
    ("\(delivery)i/a/b.png", .rendition(identifier: "i", name: "b.png")),
    ("\(delivery)i/", .rendition(identifier: "i", name: "")), ("\(delivery)i", .rendition(identifier: "i", name: "")),
    (delivery, .rendition(identifier: "", name: "")), ("\(delivery)/x", .rendition(identifier: "", name: "x")),
    ("/adobe/dynamicmedia/deliver/dm-aid-", .asset(path: "/adobe/dynamicmedia/deliver/dm-aid-")),
    ("", .asset(path: "/")), ("///", .asset(path: "/")), ("/content/dam/é", .asset(path: "/content/dam/é")),
  ])
  func `leads somewhere`(path: String, endpoint: ContentEndpoint) {
    #expect(ContentEndpoint(path: path) == endpoint)
  }

  @Test(arguments: [
    (ContentEndpoint.execute(suffix: ""), ["GET", "HEAD", "POST"]),
    (.adHoc(configuration: nil), ["GET", "HEAD", "POST"]),
    (.persist(suffix: ""), ["PUT", "POST"]), (.list(suffix: ""), ["GET", "HEAD"]),
    (.schema(configuration: nil), ["GET", "HEAD"]), (.rendition(identifier: "", name: ""), ["GET", "HEAD"]),
    (.loginPage, ["GET", "HEAD"]), (.asset(path: ""), ["GET", "HEAD"]),
  ])
  func `has methods of its own`(endpoint: ContentEndpoint, methods: [String]) {
    #expect(endpoint.methods == methods)
  }
}
