import CLinux
package import EventLoop
import Glibc

/// Hears when something that a registry reads may have changed: the record, bundles, manifests, executables.
///
/// The kernel is asked (inotify) about every folder that matters, so nothing is read while nothing changes. Belongs to the
/// loop's thread.
package final class RegistryWatch {
  private let loop: EventLoop
  private let descriptor: Int32
  private let changed: () -> Void
  private var watch: Watch?
  private var folders: [String: Int32] = [:]

  private static let events =
    UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE)
    | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)

  /// - Parameter changed: called on the loop's thread, once for every burst of events.
  /// - Returns: `nil` when the kernel offers no more watches.
  package init?(on loop: EventLoop, changed: @escaping () -> Void) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    self.loop = loop
    self.changed = changed
    guard descriptor >= 0 else { return nil }
    do {
      watch = try loop.watch(descriptor, for: .reading) { [weak self] _ in self?.drain() }
    } catch {
      close(descriptor)
      return nil
    }
  }

  /// Ends the watch; call it on the loop's thread before the value goes.
  package func stop() {
    if let watch { loop.unwatch(watch) }
    if watch != nil { close(descriptor) }
    watch = nil
  }

  private func drain() {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var heard = false
    while read(descriptor, &buffer, buffer.count) > 0 { heard = true }
    if heard { changed() }
  }

  /// Watches what a registry looks at from now on; folders that are not there are left out, their parents are not.
  package func follow(_ sources: RegistrySources, _ registry: ExtensionRegistry, record: String) {
    var wanted = Set([Self.parent(of: record)])
    for bundle in sources.bundles { wanted.formUnion([Self.parent(of: bundle), bundle, "\(bundle)/PlugIns"]) }
    for folder in sources.manifestFolders { wanted.formUnion([folder.path, folder.scripts]) }
    for entry in registry.entries {
      if let bundle = entry.bundlePath { wanted.insert(bundle) }
      if let executable = entry.executablePath { wanted.insert(Self.parent(of: executable)) }
    }
    for (folder, number) in folders where !wanted.contains(folder) {
      inotify_rm_watch(descriptor, number)
      folders[folder] = nil
    }
    // A folder that went and came again has another watch; asking again for one that stayed changes nothing.
    for folder in wanted { folders[folder] = Self.add(folder, to: descriptor) }
  }

  private static func add(_ folder: String, to descriptor: Int32) -> Int32? {
    let number = inotify_add_watch(descriptor, folder, events)
    return number < 0 ? nil : number
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
