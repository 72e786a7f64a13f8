package import EventLoop
import Files

/// Hears when something that a registry reads may have changed: the record, bundles, manifests, executables. Belongs to
/// the loop's thread.
///
/// The kernel is asked about every folder that matters, so nothing is read while nothing changes.
package final class RegistryWatch {
  private let watch: PathWatch

  /// - Parameter changed: called on the loop's thread, once for every burst of events.
  /// - Returns: `nil` when the kernel offers no more watches.
  package init?(on loop: EventLoop, changed: @escaping () -> Void) {
    guard let watch = PathWatch(on: loop, changed: changed) else { return nil }
    self.watch = watch
  }

  /// Ends the watch; call it on the loop's thread before the value goes.
  package func stop() { watch.stop() }

  /// Watches what a registry looks at from now on; folders that are not there are left out, their parents are not.
  package func follow(_ sources: RegistrySources, _ registry: ExtensionRegistry, record: String?) {
    var wanted = Set([record].compactMap { $0 }.map { Folder.parent(of: $0) })
    for bundle in sources.bundles { wanted.formUnion([Folder.parent(of: bundle), bundle, "\(bundle)/PlugIns"]) }
    for folder in sources.manifestFolders { wanted.formUnion([folder.path, folder.scripts]) }
    wanted.formUnion(sources.pointFolders)
    for entry in registry.entries {
      if let bundle = entry.bundlePath { wanted.insert(bundle) }
      if let executable = entry.executablePath { wanted.insert(Folder.parent(of: executable)) }
    }
    watch.follow(wanted, for: [.entries, .itself])
  }
}
