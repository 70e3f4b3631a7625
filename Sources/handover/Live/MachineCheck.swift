/// A property of a machine, and what it means for labs.
struct MachineCheck: Hashable {
  /// The result of a check.
  enum State: String, Hashable {
    /// The property is as a lab needs it.
    case ok
    /// Labs work, with a limitation.
    case limited
    /// An optional part is not there.
    case absent
    /// No lab is possible without it.
    case missing
  }

  /// The property, such as `user namespaces`.
  var name: String
  /// The result.
  var state: State
  /// What was found.
  var finding: String
  /// How to get what is missing, or `nil` if nothing is.
  var remedy: String?
}

extension MachineFacts {
  /// The capabilities that a lab of root needs, with their bits.
  private static let needed: [(name: String, bit: UInt64)] = [
    ("SYS_ADMIN", 21), ("NET_ADMIN", 12), ("NET_RAW", 13), ("NET_BIND_SERVICE", 10),
  ]

  /// The needed capabilities that the process lacks.
  private var missingCapabilities: [String] {
    Self.needed.filter { (capabilities ?? 0) & (1 << $0.bit) == 0 }.map(\.name)
  }

  /// Returns the checks of the machine.
  ///
  /// - Parameter labWorks: Whether a lab could be made; what it does not need is then not missing.
  /// - Returns: The checks, in the order in which they are shown.
  func checks(labWorks: Bool) -> [MachineCheck] {
    var checks = [privileges, userNamespaces, appArmor, networkNamespaces, processNamespaces]
    checks += [kernelSettings, resolver, temporaryFiles, trustedAuthorities, multipath, netem]
    if labWorks {
      for index in checks.indices where checks[index].state == .missing {
        (checks[index].state, checks[index].remedy) = (.ok, nil)
      }
    } else if hasSystemCallFilter, !checks.contains(where: { $0.state == .missing }) {
      // The rules of a filter cannot be read, so it is named only if nothing else is missing.
      checks[0].state = .missing
      checks[0].finding += "; a seccomp filter is active and may refuse a call"
      checks[0].remedy = "run the container with --security-opt seccomp=unconfined"
    }
    return checks
  }

  private var privileges: MachineCheck {
    let name = "privileges"
    guard isRoot else {
      return MachineCheck(
        name: name, state: .ok, finding: "not root, so labs need user namespaces")
    }
    let missing = missingCapabilities
    guard !missing.isEmpty else {
      return MachineCheck(name: name, state: .ok, finding: "root with the needed capabilities")
    }
    return MachineCheck(
      name: name, state: .missing,
      finding: "root without " + missing.map { "CAP_\($0)" }.joined(separator: ", "),
      remedy: "run the container with "
        + missing.map { "--cap-add \($0)" }.joined(separator: " "))
  }

  private var userNamespaces: MachineCheck {
    let name = "user namespaces"
    if isRoot { return MachineCheck(name: name, state: .ok, finding: "not needed by root") }
    guard namespaceKinds.contains("user") else {
      return MachineCheck(
        name: name, state: .missing, finding: "the kernel does not support them",
        remedy: "run as root, or use a kernel with CONFIG_USER_NS")
    }
    if isInChroot {
      return MachineCheck(
        name: name, state: .missing, finding: "the kernel allows none in a chroot",
        remedy: "run as root, or enter the folder with systemd-nspawn or bwrap instead of chroot")
    }
    if allowsUserNamespaces == false {
      return MachineCheck(
        name: name, state: .missing, finding: "kernel.unprivileged_userns_clone is 0",
        remedy: "run as root, or: sudo sysctl -w kernel.unprivileged_userns_clone=1")
    }
    if limits["max_user_namespaces"] == 0 {
      return MachineCheck(
        name: name, state: .missing, finding: "user.max_user_namespaces is 0",
        remedy: "run as root, or: sudo sysctl -w user.max_user_namespaces=15000")
    }
    return MachineCheck(name: name, state: .ok, finding: "allowed by the kernel")
  }

  private var appArmor: MachineCheck {
    let name = "AppArmor"
    if isRestrictedByAppArmor, !isRoot {
      return MachineCheck(
        name: name, state: .missing,
        finding: "kernel.apparmor_restrict_unprivileged_userns is 1",
        remedy: "run as root, or: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0")
    }
    if let enforcedProfile {
      return MachineCheck(
        name: name, state: .missing,
        finding: "the profile \(enforcedProfile) is enforced, which may refuse mounts",
        remedy: "run the container with --security-opt apparmor=unconfined")
    }
    return MachineCheck(name: name, state: .ok, finding: "does not restrict labs")
  }

  private var networkNamespaces: MachineCheck {
    let name = "network namespaces"
    guard namespaceKinds.contains("net") else {
      return MachineCheck(
        name: name, state: .missing, finding: "the kernel does not support them",
        remedy: "use a kernel with CONFIG_NET_NS")
    }
    // A lab has a device, an emulator, servers and three routers.
    if let limit = limits["max_net_namespaces"], limit < 6 {
      return MachineCheck(
        name: name, state: .missing, finding: "user.max_net_namespaces is \(limit)",
        remedy: "sudo sysctl -w user.max_net_namespaces=15000")
    }
    return MachineCheck(name: name, state: .ok, finding: "supported by the kernel")
  }

  private var processNamespaces: MachineCheck {
    let name = "PID namespaces"
    guard namespaceKinds.contains("pid") else {
      return MachineCheck(
        name: name, state: .limited,
        finding: "not supported, so processes that a program leaves behind may survive it",
        remedy: "use a kernel with CONFIG_PID_NS")
    }
    return MachineCheck(name: name, state: .ok, finding: "supported by the kernel")
  }

  private var kernelSettings: MachineCheck {
    let name = "kernel settings"
    guard hasReadOnlySettings, !isRoot else {
      return MachineCheck(name: name, state: .ok, finding: "writable in a lab")
    }
    return MachineCheck(
      name: name, state: .missing, finding: "/proc/sys is read-only, as in a container",
      remedy: "run as root in the container, with "
        + Self.needed.map { "--cap-add \($0.name)" }.joined(separator: " "))
  }

  private var resolver: MachineCheck {
    let name = "resolver"
    guard hasResolverFile else {
      return MachineCheck(
        name: name, state: .missing, finding: "there is no /etc/resolv.conf to cover",
        remedy: "create the file; it may be empty")
    }
    return MachineCheck(name: name, state: .ok, finding: "/etc/resolv.conf exists")
  }

  private var temporaryFiles: MachineCheck {
    let name = "temporary files"
    guard temporaryFolder.isWritable else {
      return MachineCheck(
        name: name, state: .missing, finding: "\(temporaryFolder.path) is not writable",
        remedy: "set TMPDIR to a writable folder")
    }
    return MachineCheck(
      name: name, state: .ok, finding: "\(temporaryFolder.path) is writable")
  }

  private var trustedAuthorities: MachineCheck {
    let name = "TLS trust"
    guard let trustFile else {
      return MachineCheck(
        name: name, state: .absent, finding: "the system has no file of trusted authorities",
        remedy: "only for programs that read that file: install ca-certificates")
    }
    return MachineCheck(
      name: name, state: .ok, finding: "labs replace \(trustFile) for their programs")
  }

  private var multipath: MachineCheck {
    let name = "Multipath TCP"
    switch isMultipathEnabled {
    case true?: return MachineCheck(name: name, state: .ok, finding: "enabled")
    case false?:
      return MachineCheck(
        name: name, state: .absent, finding: "net.mptcp.enabled is 0",
        remedy: "only for programs that use it: sudo sysctl -w net.mptcp.enabled=1")
    case nil:
      return MachineCheck(
        name: name, state: .absent, finding: "the kernel does not support it",
        remedy: "only for programs that use it: a kernel with CONFIG_MPTCP")
    }
  }

  private var netem: MachineCheck {
    MachineCheck(
      name: "tc netem", state: .ok,
      finding: (hasNetem ? "available" : "not available")
        + ", and not needed: labs have their own link emulator")
  }
}
