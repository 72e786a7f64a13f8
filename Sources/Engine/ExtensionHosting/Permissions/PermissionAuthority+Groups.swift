public import ExtensionProtocol
import Text

/// App groups: their owners, and the groups that an extension has to ask its user for.
extension PermissionAuthority {
  /// What an entry asks the user for: what its manifest names, and, as ``PermissionKind/groups``, those of its app groups
  /// that another app claimed first. What belongs to no app has no app groups.
  ///
  /// - Throws: `storeFailed` when the record of app groups cannot be read.
  public func asked(
    by entry: RegistryEntry, in registry: ExtensionRegistry
  ) throws(ExtensionError) -> [AskedPermission] {
    guard let manifest = entry.manifest else { return [] }
    guard let app = entry.containingApp else { return manifest.askedPermissions }
    let foreign = try claims.foreign(manifest.appGroups, to: app, in: registry)
    return manifest.askedPermissions.adding(foreignGroups: foreign)
  }

  /// Claims for an app those of its groups that no app has claimed; the first claim wins.
  ///
  /// - Throws: `storeFailed` when the record of app groups cannot be read or written.
  public func claimGroups(
    of entry: RegistryEntry, in registry: ExtensionRegistry
  ) async throws(ExtensionError) {
    guard let app = entry.containingApp, let manifest = entry.manifest else { return }
    try await claims.claim(manifest.appGroups, for: app, in: registry)
  }

  /// Puts aside, for another team's app of the same name, what users decided about an app's extensions, and the app's groups.
  /// What that team had before is taken up again. Doing it again changes nothing.
  ///
  /// - Parameters:
  ///   - ids: the identifiers of the app and its extensions.
  ///   - app: the identifier of the app.
  ///   - old: the fingerprint of the team of before; empty for bundles without a signature.
  ///   - new: that of the team from now on.
  /// - Throws: `storeFailed` when a record cannot be read or written.
  package func handOver(
    _ ids: [String], of app: String, from old: String, to new: String
  ) async throws(ExtensionError) {
    try await store.change { $0.handOver(ids, of: app, from: old, to: new) }
    try await claims.handOver(app, from: old, to: new)
  }

  /// Returns the reason an extension may not use an app group now; `nil` when it may: its manifest and its app's name it,
  /// and it is its app's, or was granted.
  package func refusal(
    ofGroup group: String, to identity: Caller.Identity, in registry: ExtensionRegistry
  ) -> ExtensionError? {
    guard identity.isEntitled(toGroup: group) else { return .notEntitled(to: group, identity) }
    do throws(ExtensionError) {
      let foreign = try claims.foreign(identity.groups, to: identity.containingApp, in: registry)
      guard foreign.contains(group) else { return nil }
      let asked = AskedPermission(PermissionKind.groups.name, scope: foreign)
      let state = state(of: asked, for: identity.id)
      return state == .granted ? nil : .foreign(group: group, state, to: identity)
    } catch {
      return error
    }
  }

  /// What a process starts with: what the user has granted, and of its app groups those that are its app's or were granted.
  ///
  /// - Throws: `storeFailed` when the record of app groups cannot be read or written.
  func settle(_ target: LaunchTarget, in registry: ExtensionRegistry) async throws(ExtensionError) -> LaunchTarget {
    var target = target
    let app = target.identity.containingApp
    try await claims.claim(target.identity.groups, for: app, in: registry)
    let foreign = try claims.foreign(target.identity.groups, to: app, in: registry)
    target.identity.permissions = target.identity.permissions.adding(foreignGroups: foreign)
    target.permissions = states(for: target.identity)
    if !target.isGranted(.groups) { target.identity.groups.removeAll(where: foreign.contains) }
    return target
  }
}

extension [AskedPermission] {
  /// With the app groups of other apps among what is asked for.
  fileprivate func adding(foreignGroups groups: [String]) -> [AskedPermission] {
    let others = filter { $0.name != PermissionKind.groups.name }
    return groups.isEmpty ? others : others + [AskedPermission(PermissionKind.groups.name, scope: groups)]
  }
}
