public import ExtensionHosting

/// What a user has to agree to before a bundle is installed. Names are foreign text: make them safe before you print them.
public enum BundleQuestion: Sendable, Hashable {
  /// An identifier belongs to one team, and the bundle is another team's. It is another app, which gets none of the data.
  ///
  /// - Parameters:
  ///   - identifier: the identifier of both apps.
  ///   - owner: the team of the app that is there; its fingerprint is empty for an unsigned one.
  ///   - newcomer: the team of the bundle; its fingerprint is empty for an unsigned one.
  case otherTeam(identifier: String, owner: BundleTeam, newcomer: BundleTeam)
  /// A version asks for more than the one that was approved.
  ///
  /// - Parameters:
  ///   - identifier: the extension.
  ///   - more: the words for what it asks for besides: features, app groups, `open-access`.
  ///   - team: who signed it.
  case moreCapabilities(identifier: String, more: [String], team: BundleTeam)

  /// The question in one sentence, with both names.
  public var sentence: String {
    switch self {
    case .otherTeam(let identifier, let owner, let newcomer):
      "\(identifier) belongs to \(Self.name(owner)), and this bundle is \(Self.kind(newcomer)). "
        + "It is another app: it gets no data and no permission of the first, which is not used any more."
    case .moreCapabilities(let identifier, let more, let team):
      "\(identifier) of \(Self.name(team)) asks for more than was approved: \(more.joined(separator: ", "))."
    }
  }

  private static func name(_ team: BundleTeam) -> String { team.team.isEmpty ? "an unsigned, local app" : team.shown }
  private static func kind(_ team: BundleTeam) -> String {
    team.team.isEmpty ? "unsigned, local" : "signed by \(team.shown)"
  }
}
