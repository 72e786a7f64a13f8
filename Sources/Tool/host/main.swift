import Conformance
import Contracts
import ExtensionHosting
import HostCLI
import LightCommands

// What runs extensions or serves is in the second program, which this one starts: see SecondProgram.swift.
HostCommand(
  features: Features.lightCommands, checks: CheckList([], hosts: HostFeatures([] as [HostFeatures]), points: []),
  libraries: nil
).main()
