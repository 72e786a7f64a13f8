import ImageFile
import Files
import JSON
import Text

extension ContentLoader {
  /// All files that are neither fragments nor their texts.
  mutating func assets(_ list: [ContentFile], without texts: Set<ExactText>) -> [ContentAsset] {
    var assets: [ContentAsset] = []
    for file in list where file.path.hasPrefix("content/") {
      if file.pathExtension == "json" {
        guard index[ExactText(file.pathWithoutExtension)] == nil, let drawn = drawn(file) else { continue }
        assets.append(drawn)
      } else if !texts.contains(ExactText(file.path)) {
        assets.append(asset(file))
      }
    }
    return assets
  }

  private mutating func asset(_ file: ContentFile) -> ContentAsset {
    let told = sources[ExactText(file.path + ".json")].flatMap { $0.root["model"] == nil ? $0 : nil }
    if let told { checkMembers(told) }
    let path = "/" + file.path
    let type = told?.root["mimeType"]?.string ?? AssetKind.mimeTypes[file.pathExtension] ?? "application/octet-stream"
    var size: (width: Int, height: Int)?
    if type.hasPrefix("image/") { size = told.flatMap(Self.size) ?? known(file) ?? measured(file) }
    return ContentAsset(
      path: path, id: told?.root["id"]?.string ?? StableID.text(of: path), mimeType: type, width: size?.width,
      height: size?.height, size: file.size, title: told?.root["title"]?.string, author: told?.root["author"]?.string,
      source: file.source, drawing: nil, limit: limits.assetBytes, stamp: file.stamp)
  }

  /// `name.png.json` without `name.png`: a picture that is drawn.
  private mutating func drawn(_ file: ContentFile) -> ContentAsset? {
    let told = ContentFile(path: file.pathWithoutExtension, stamp: "", size: 0, source: file.source)
    guard let type = AssetKind.mimeTypes[told.pathExtension], let source = sources[ExactText(file.path)],
      source.root["model"] == nil
    else { return nil }
    checkMembers(source)
    guard let name = source.root["drawing"]?.string else {
      problems.add(
        file.path, "There is no file \(told.path.quotedInProblem) that this one could be about.",
        "Put the file there, or take this one away.")
      return nil
    }
    let size = Self.size(source)
    let path = "/" + told.path
    return ContentAsset(
      path: path, id: source.root["id"]?.string ?? StableID.text(of: path), mimeType: type, width: size?.width ?? 600,
      height: size?.height ?? 400, size: nil, title: source.root["title"]?.string,
      author: source.root["author"]?.string, source: .drawn(name), drawing: drawing, limit: limits.assetBytes,
      stamp: file.stamp)
  }

  private mutating func checkMembers(_ file: SourceFile) {
    let texts = ["id", "title", "author", "mimeType", "drawing"]
    for member in file.root.members ?? [] {
      let isRight =
        switch member.name {
        case "width", "height": (1...100_000).contains(member.value.json.integerValue ?? 0)
        case "id": member.value.string.map(StableID.isValid) == true
        default: texts.contains(member.name) && member.value.string != nil
        }
      if isRight { continue }
      problems.add(
        file.path, file.place(member.offset),
        "\(member.name.quotedInProblem) is not a member that describes an asset.",
        "Its members are \(texts.joined(separator: ", ")) with texts, id with a UUID, and width and height with pixels."
      )
    }
  }

  private static func size(_ file: SourceFile) -> (width: Int, height: Int)? {
    guard let width = file.root["width"]?.json.integerValue, let height = file.root["height"]?.json.integerValue,
      (1...100_000).contains(width), (1...100_000).contains(height)
    else { return nil }
    return (Int(width), Int(height))
  }

  /// The size as it was found before, when the file is the same; what was told of it then may not hold any more.
  private func known(_ file: ContentFile) -> (width: Int, height: Int)? {
    guard let old = previous.asset(at: "/" + file.path), old.stamp == file.stamp, case .file = file.source,
      previous.files[ExactText(file.path + ".json")].flatMap(Self.size) == nil, let width = old.width,
      let height = old.height
    else { return nil }
    return (width, height)
  }

  private func measured(_ file: ContentFile) -> (width: Int, height: Int)? {
    switch file.source {
    case .memory(let bytes): ImageSize.of(Array(bytes.prefix(ImageSize.prefixLength)))
    case .file(let path, _): File.prefix(of: path, limit: ImageSize.prefixLength).flatMap(ImageSize.of)
    case .drawn: nil
    }
  }
}
