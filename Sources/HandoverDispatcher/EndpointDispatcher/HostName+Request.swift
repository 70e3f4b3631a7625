package import HandoverMachines

extension HostName {
  /// Normalises a host that a request goes to.
  ///
  /// Where no port is named a URL has that of its scheme (U2).
  ///
  /// - Parameter written: a URL, or a host as a person writes it.
  package init?(ofRequest written: String) {
    self.init(written, usualPort: EndpointKey(url: written)?.port ?? 443)
  }
}
