extension HostName {
  /// Normalizes the host of a request.
  ///
  /// Without an explicit port, a URL has the port of its scheme (U2).
  ///
  /// - Parameter written: a URL, or a host as a person writes it.
  package init?(ofRequest written: String) {
    self.init(written, defaultPort: EndpointKey(url: written)?.port ?? 443)
  }
}
