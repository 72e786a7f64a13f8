/// Waits until the task is cancelled, and not longer.
package func untilCancelled() async {
  // Nobody yields.
  let (stream, source) = AsyncStream<Never>.makeStream()
  for await _ in stream {}
  source.finish()
}
