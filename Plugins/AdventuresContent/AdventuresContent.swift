package import AppExtensions

/// The content of the Adventures samples: one function for each persisted query, over one request.
package struct AdventuresContent: Sendable {
  private let context: ExtensionContext

  package init(_ context: ExtensionContext) { self.context = context }

  /// Every adventure, in the order of the server.
  package func getAdventures(refresh: Bool = false) async throws -> ContentItems<Adventure> {
    try await request("adventures-all", ["imageWidth": 50], refresh: refresh)
  }

  /// One adventure, with its texts; `nil` when there is none of that name.
  package func getAdventureBySlug(_ slug: String, refresh: Bool = false) async throws -> Adventure? {
    try await request("adventure-by-slug", ["slug": .string(slug)], refresh: refresh).first
  }

  /// The picture of an adventure, in a file of the scratch directory; `nil` when the adventure has none.
  package func getImage(of adventure: Adventure, width: Int) async throws -> Content.Image.Result? {
    guard let path = adventure.imagePath else { return nil }
    return try await context.contentImage(path, width: width)
  }

  private func request(
    _ name: String, _ variables: JSONObject, refresh: Bool
  ) async throws -> ContentItems<Adventure> {
    let query = "wknd-shared/\(name)"
    let answer = try await context.content(query, variables: variables, refresh: refresh, as: AdventureList.self)
    guard let list = answer.data.adventureList else {
      throw ExtensionError(
        .contentFailed, answer.errors.first?.message ?? "The answer to \(query) holds no adventures.",
        recovery: "Check the query and its model on the server.")
    }
    for problem in list.items.problems {
      await context.log(.warning, "an adventure was left out", fields: ["reason": .string(problem.message)])
    }
    return list.items
  }
}

/// The answer to every query here.
private struct AdventureList: Decodable, Sendable {
  struct Items: Decodable, Sendable {
    var items: ContentItems<Adventure>
  }
  var adventureList: Items?
}
