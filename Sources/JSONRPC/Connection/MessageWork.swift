/// What is to be done for a message, in a task of its own.
///
/// A struct and not the bare closure: an optional closure, or one in a generic type, is wrapped once at each border that
/// it passes, and every wrapping is an allocation and a further frame of the task.
package struct MessageWork: Sendable {
  package let run: @Sendable () async throws -> Reply

  package init(_ run: @escaping @Sendable () async throws -> Reply) { self.run = run }
}
