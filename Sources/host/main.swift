import Contracts
import FeatureChecks
import FeatureCommands
import HostCLI

HostCommand(features: Features.commands, conformance: Features.conformance).main()
