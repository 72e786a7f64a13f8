import HostCLI

HostCommand.main()
