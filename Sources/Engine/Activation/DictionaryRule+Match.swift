/// How a dictionary rule is compared with items.
///
/// 0 or no key means "not supported". In version 1 every attachment must be supported; in version 2 one is enough and
/// the others are passed along, unless strict matching is on. Exceeding a count refuses in every mode.
extension DictionaryRule {
  /// The key that is responsible for a class, with its count; text has no bound.
  private func key(for attachmentClass: AttachmentClass) -> (name: String, limit: Int?)? {
    switch attachmentClass {
    case .image: ("SupportsImageWithMaxCount", images)
    case .movie: ("SupportsMovieWithMaxCount", movies)
    case .webPage: ("SupportsWebPageWithMaxCount", webPages)
    case .webURL: ("SupportsWebURLWithMaxCount", webURLs)
    case .text: ("SupportsText", text.map { $0 ? Int.max : 0 })
    case .file: ("SupportsFileWithMaxCount", files)
    case .other: nil
    }
  }

  func match(_ items: [ActivationItem], in types: TypeGraph) -> ActivationMatch {
    let attachments = items.flatMap(\.attachments)
    if attachments.isEmpty { return matchText(items) }
    var counts: [String: (count: Int, limit: Int)] = [:]
    var verdicts: [ActivationMatch.Attachment] = []
    for (index, attachment) in attachments.enumerated() {
      let (verdict, limit) = judge(attachment, index, types)
      if let key = verdict.acceptedBy { counts[key, default: (0, limit)].count += 1 }
      verdicts.append(verdict)
    }
    var refusals = boundsRefusals(attachments.count)
    for (key, (count, limit)) in counts.sorted(by: { $0.key < $1.key }) where count > limit {
      refusals.append("There are \(count) attachments for \(key), which allows \(limit).")
    }
    let refused = verdicts.count { $0.acceptedBy == nil }
    if refused == verdicts.count {
      refusals.append("The rule supports none of the attachments.")
    } else if isStrict, refused > 0 {
      let mode = usesStrictMatching ? "strict matching" : "version 1 of the rule"
      refusals.append("In \(mode), every attachment must be supported; \(refused) of \(verdicts.count) is not.")
    }
    let reasons = refusals.isEmpty ? ["The rule accepts the items."] : refusals
    return ActivationMatch(isOffered: refusals.isEmpty, attachments: verdicts, reasons: reasons)
  }

  /// Without attachments only text can be accepted, when an item has some.
  private func matchText(_ items: [ActivationItem]) -> ActivationMatch {
    let hasText = items.contains { !($0.contentText ?? "").isEmpty }
    var refusals = boundsRefusals(0)
    if !hasText {
      refusals.append("There are neither attachments nor text.")
    } else if text != true {
      refusals.append("There is only text, and NSExtensionActivationSupportsText is not true.")
    }
    let reasons = refusals.isEmpty ? ["NSExtensionActivationSupportsText accepts the text."] : refusals
    return ActivationMatch(isOffered: refusals.isEmpty, reasons: reasons)
  }

  private func boundsRefusals(_ count: Int) -> [String] {
    var refusals: [String] = []
    if let least = minAttachments, count < least {
      refusals.append("There are \(count) attachments; the least is \(least).")
    }
    if let most = maxAttachments, count > most {
      refusals.append("There are \(count) attachments; the most is \(most).")
    }
    return refusals
  }

  private func judge(
    _ attachment: ActivationAttachment, _ index: Int, _ types: TypeGraph
  ) -> (ActivationMatch.Attachment, limit: Int) {
    let found = AttachmentClass(attachment, strict: isStrict, types)
    let shown = attachment.registeredTypeIdentifiers.joined(separator: ", ")
    let subject = "Attachment \(index + 1) (\(shown.isEmpty ? "no type" : shown)) is \(Self.article(found))"
    func verdict(_ key: String?, _ rest: String) -> ActivationMatch.Attachment {
      .init(index: index, attachmentClass: found, acceptedBy: key, reason: "\(subject)\(rest)")
    }
    guard let own = key(for: found) else { return (verdict(nil, ", which no rule supports."), 0) }
    if let limit = own.limit {
      let name = Self.prefix + own.name
      if limit > 0 { return (verdict(name, ": accepted by \(name)."), limit) }
      return (verdict(nil, ": refused, since \(name) is \(found == .text ? "false" : "0")."), 0)
    }
    let fallsBack = attachment.isFile && [.image, .movie, .text].contains(found)
    if fallsBack, let limit = files, limit > 0, let file = key(for: .file) {
      let name = Self.prefix + file.name
      return (verdict(name, " and a file: accepted by \(name)."), limit)
    }
    return (verdict(nil, ": refused, since the rule has no \(Self.prefix + own.name)."), 0)
  }

  private static func article(_ attachmentClass: AttachmentClass) -> String {
    switch attachmentClass {
    case .image: "an image"
    case .text: "text"
    case .other: "of another kind"
    case .movie, .webPage, .webURL, .file: "a \(attachmentClass.rawValue)"
    }
  }
}
