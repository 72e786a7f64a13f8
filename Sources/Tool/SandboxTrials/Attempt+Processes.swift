import Sandbox

extension Attempt {
  static let processes = [
    Attempt("processes/trace", "Trace another process") { ["\($0.victim.pid)"] },
    Attempt("processes/memory", "Read and write another process's memory and environment") {
      ["\($0.victim.pid)", $0.victim.address]
    },
    Attempt("processes/signals", "Send signals to other processes") { ["\($0.victim.pid)"] },
    Attempt("processes/owner", "Have the kernel send signals, through a descriptor's owner") { ["\($0.victim.pid)"] },
    Attempt("processes/descriptors", "Take descriptors of other processes") { ["\($0.victim.pid)"] },
    Attempt("processes/scheduling", "Change limits, priority or processors of other processes") {
      ["\($0.victim.pid)"]
    },
    Attempt("processes/see", "See other processes and their command lines", tiers: ownProcesses) {
      ["\($0.victim.pid)"]
    },
    Attempt("processes/session", "Open the terminal of the session"),
    Attempt("processes/namespaces", "Enter the namespaces of other processes") { ["\($0.victim.pid)"] },
  ]

  static let network = [
    Attempt("network/tcp", "Connect to a listening port") { ["\($0.listeners.port)"] },
    Attempt("network/datagrams", "Send UDP, TCP Fast Open and MPTCP") { ["\($0.listeners.port)"] },
    Attempt("network/listen", "Listen on a port"),
    Attempt("network/families", "Make a socket of any family"),
    Attempt("network/unix", "Connect to the host's local sockets") { [$0.listeners.path, $0.listeners.name] },
    Attempt("network/ring", "Make sockets through io_uring"),
    Attempt("network/messages", "Pass descriptors over the standard streams"),
    Attempt("network/pair", "Pass descriptors over a pair of sockets of its own, or lead it elsewhere") {
      [$0.listeners.path]
    },
    Attempt("channels/locks", "Tell others something by locks on a file that all may read"),
    Attempt("channels/futex", "Wake others at a page of a file that all may read"),
    Attempt("network/table", "Read the host's table of connections", tiers: ownRoot, needs: .networkNamespace) {
      ["\($0.listeners.port)", $0.listeners.name]
    },
  ]

  static let inheritance = [
    Attempt("inheritance/descriptors", "Use descriptors that the host leaked"),
    Attempt("inheritance/environment", "Read the host's environment"),
    Attempt("inheritance/streams", "Find anything but pipes as standard streams"),
    Attempt("inheritance/attributes", "Inherit the host's directory, mask or signals") { [$0.folder.scratch] },
  ]

  static let resources = [
    Attempt("resources/descriptors", "Open more than 256 descriptors"),
    Attempt("resources/file", "Write a file of more than 64 MiB"),
    // Threads are counted per user: an ordinary user's other processes would count too.
    Attempt("resources/threads", "Start threads without end", tiers: ownRoot) { ["\($0.maximumThreads)"] },
    Attempt("resources/memory", "Use more than 512 MiB of memory"),
    Attempt("resources/room", "Take disk space that the length of a file does not show"),
    Attempt("resources/tables", "Have descriptors of its own for each thread"),
    Attempt("resources/hidden", "Use memory that no figure of the process shows"),
    Attempt("channels/own-locks", "Use memory of the kernel by locks on parts of a file"),
    Attempt("resources/signals", "Use up the signals that may wait for all programs of the user"),
  ]
}
