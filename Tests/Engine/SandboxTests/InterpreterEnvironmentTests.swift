import Glibc
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `The environment of an interpreter` {
  private let home = TemporaryDirectory()

  init() {
    for name in [".local", ".local/bin", ".local/share", ".local/share/tool", ".local/lib", ".local/lib/tool"] {
      _ = home.directory(name)
    }
    for name in ["V", "V/bin", "V/lib", "V/lib/python3.12", "V/lib/private", "P", "P/bin", "P/lib", "P/lib/python3.12"]
    {
      _ = home.directory(name)
    }
  }

  private func paths(_ interpreter: String) throws -> [String] {
    let path = "\(home.path)/\(interpreter)"
    return try ScriptInterpreter.readOnlyPaths(of: path).filter { $0 != path }
  }

  @Test func `is no folder that only has its name`() throws {
    _ = home.file(".local/bin/tool", ELFSample().bytes)
    #expect(try paths(".local/bin/tool") == [])
    _ = home.file(".local/bin/python3.12", ELFSample().bytes)
    _ = home.directory(".local/lib/python3.12")
    #expect(try paths(".local/bin/python3.12") == [])
  }

  @Test func `is the virtual environment whose settings lie above it, and its packages alone`() throws {
    _ = home.file("P/bin/python3.12", ELFSample().bytes)
    symlink("\(home.path)/P/bin/python3.12", "\(home.path)/V/bin/python3")
    symlink("lib", "\(home.path)/V/lib64")
    #expect(try paths("V/bin/python3") == [])
    let settings = home.file("V/pyvenv.cfg", Array("home = \(home.path)/P/bin\r\nversion = 3.12.1\n".utf8))
    let own = [settings, "\(home.path)/V/lib/python3.12", "\(home.path)/V/lib64/python3.12"]
    #expect(try paths("V/bin/python3") == own)
    // Python's own library, by its landmark.
    _ = home.file("P/lib/python3.12/os.py", [])
    #expect(try paths("V/bin/python3") == own + ["\(home.path)/P/lib/python3.12"])
    #expect(ScriptInterpreter.environment(of: "\(home.path)/V/bin/python3") == own + ["\(home.path)/P/lib/python3.12"])
    #expect(try paths("P/bin/python3.12") == ["\(home.path)/P/lib/python3.12"])
    // Settings and packages are no links that lead out.
    unlink(settings)
    symlink("\(home.path)/P/lib/python3.12/os.py", settings)
    #expect(try paths("V/bin/python3") == ["\(home.path)/P/lib/python3.12"])
  }

  @Test func `is followed to the Python that a copy was made of`() throws {
    _ = home.file("P/bin/python3.12", ELFSample().bytes)
    _ = home.file("V/bin/python3.12", ELFSample().bytes)
    _ = home.file("P/lib/python3.12/os.py", [])
    _ = home.file("V/pyvenv.cfg", Array("home=\(home.path)/P/bin\n".utf8))
    let found = try paths("V/bin/python3.12")
    #expect(found.contains("\(home.path)/P/lib/python3.12") && found.contains("\(home.path)/V/lib/python3.12"))
    _ = home.file("V/pyvenv.cfg", Array("home = P/bin\nhome".utf8))
    #expect(!(try paths("V/bin/python3.12").contains { $0.hasPrefix("\(home.path)/P") }))
  }

  @Test(arguments: ["\n", "\r\n"]) func `is known by settings whose lines end as they may`(end: String) throws {
    _ = home.file("P/bin/python3.12", ELFSample().bytes)
    _ = home.file("V/bin/python3.12", ELFSample().bytes)
    _ = home.file("P/lib/python3.12/os.py", [])
    let lines = ["include-system-site-packages = false", "home = \(home.path)/P/bin", "version = 3.12.1"]
    for settings in [lines, Array(lines.dropFirst()), Array(lines.dropLast())] {
      _ = home.file("V/pyvenv.cfg", Array(settings.joined(separator: end).utf8))
      #expect(try paths("V/bin/python3.12").contains("\(home.path)/P/lib/python3.12"))
    }
  }

  @Test func `has the packages of versions of Python, and nothing else of its library`() throws {
    _ = home.file("V/bin/python3.12", ELFSample().bytes)
    for name in ["python3", "pythonic", "python3.12-private", "python"] { _ = home.directory("V/lib/\(name)") }
    symlink("\(home.path)/P/lib/python3.12", "\(home.path)/V/lib/python3.11")
    symlink("..", "\(home.path)/V/lib/python3.9")
    let settings = home.file("V/pyvenv.cfg", [])
    let folders = ["python", "python3", "python3.12"].map { "\(home.path)/V/lib/\($0)" }
    #expect(try paths("V/bin/python3.12") == [settings] + folders)
  }

  @Test func `is what the system's folders have of its name`() throws {
    let found = try ScriptInterpreter.readOnlyPaths(of: "/usr/bin/python3")
    guard access("/usr/bin/python3", X_OK) == 0 else { return }
    #expect(
      found.contains("/usr/lib/python3") && found.allSatisfy { $0.hasPrefix("/usr/") || $0.hasPrefix("/etc/ssl") })
    #expect(ScriptInterpreter.environment(of: "/usr/bin/python3") == [])
  }

  @Test(.enabled(if: access("/usr/bin/perl", X_OK) == 0, "needs Perl"))
  func `is also what interpreters read under another name than their own`() throws {
    let found = try ScriptInterpreter.readOnlyPaths(of: "/usr/bin/perl")
    #expect(found.first == "/usr/bin/perl")
    for folder in ["/usr/share/perl", "/usr/share/perl5", "/usr/lib/perl5"] {
      #expect(found.contains(folder) == (access(folder, F_OK) == 0), "\(folder)")
    }
  }
}
