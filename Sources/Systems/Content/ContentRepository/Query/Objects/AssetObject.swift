import GraphQL
import JSON

/// An asset as a reference to it shows it.
struct AssetObject: GraphQLObject {
  let asset: ContentAsset
  let scope: FieldScope

  var typeName: String? { asset.kind.typeName }

  func resolve(_ field: GraphQLField) -> GraphQLResult {
    let options = scope.run.options
    return switch field.name {
    case "_id": .value(.string(asset.id))
    case "_path": .value(.string(asset.path))
    case "_authorUrl": .text(options.authorURL.map { $0 + asset.path })
    case "_publishUrl": .text(options.publishURL.map { $0 + asset.path })
    case "_dynamicUrl": .text(options.hasDynamicURLs ? scope.rendition.url(of: asset) : nil)
    case "type": .value(.string(asset.kind.rawValue))
    case "mimeType", "format": .value(.string(asset.mimeType))
    case "width": .number(asset.width)
    case "height": .number(asset.height)
    case "size": .number(asset.size)
    case "author": .text(asset.author)
    default: .null
    }
  }
}

/// A page as a reference to it shows it.
struct PageObject: GraphQLObject {
  let path: String
  let scope: FieldScope

  var typeName: String? { AssetKind.page.typeName }

  func resolve(_ field: GraphQLField) -> GraphQLResult {
    let options = scope.run.options
    return switch field.name {
    case "_path": .value(.string(path))
    case "_authorUrl": .text(options.authorURL.map { "\($0)\(path).html" })
    case "_publishUrl": .text(options.publishURL.map { "\($0)\(path).html" })
    case "type": .value(.string(AssetKind.page.rawValue))
    default: .null
    }
  }
}

extension GraphQLResult {
  static func text(_ text: String?) -> GraphQLResult { text.map { .value(.string($0)) } ?? .null }

  /// What GraphQL has no number for is null.
  static func number(_ number: Int?) -> GraphQLResult {
    number.flatMap { Int32(exactly: $0) }.map { .value(.integer(Int64($0))) } ?? .null
  }
}
