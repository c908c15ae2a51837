package dev.sluice.certs;

import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The names and addresses under which a server is reached; the certificate must carry them all. */
record ServedNames(Set<String> hosts, Set<InetAddress> addresses) {
  private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
  private static final Pattern HOST = Pattern.compile("(\\*\\.)?" + LABEL + "(\\." + LABEL + ")*");
  private static final Pattern IPV4 = Pattern.compile("\\d+(\\.\\d+){3}");
  private static final int LONGEST_HOST = 253;

  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  /** Sorts what a user wrote into host names and addresses; nothing is looked up. */
  static ServedNames of(Collection<String> names) {
    if (names.isEmpty()) {
      throw new IllegalArgumentException("names: [] (expected: at least one)");
    }
    var sorted = empty();
    names.forEach(sorted::add);
    return sorted;
  }

  static ServedNames in(X509Certificate certificate) throws CertificateParsingException {
    var found = empty();
    Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
    if (alternatives != null) {
      alternatives.forEach(found::addAlternative);
    }
    return found;
  }

  boolean covers(ServedNames wanted) {
    return hosts.containsAll(wanted.hosts) && addresses.containsAll(wanted.addresses);
  }

  private static ServedNames empty() {
    return new ServedNames(new LinkedHashSet<>(), new LinkedHashSet<>());
  }

  private void addAlternative(List<?> typeAndValue) {
    switch (typeAndValue.getFirst()) {
      case Integer type when type == DNS_NAME ->
          hosts.add(typeAndValue.getLast().toString().toLowerCase(Locale.ROOT));
      case Integer type when type == IP_ADDRESS ->
          addresses.add(InetAddress.ofLiteral(typeAndValue.getLast().toString()));
      default -> {} // mail addresses and similar names are no servers
    }
  }

  private void add(String name) {
    if (IPV4.matcher(name).matches() || name.contains(":")) {
      addresses.add(address(name));
      return;
    }
    String host = name.toLowerCase(Locale.ROOT);
    if (host.length() > LONGEST_HOST || !HOST.matcher(host).matches()) {
      throw new IllegalArgumentException(
          "name: \"" + name + "\" (expected: a DNS name or an IP address)");
    }
    hosts.add(host);
  }

  private static InetAddress address(String literal) {
    if (literal.contains("%")) { // the scope of an address is valid on this machine only
      throw new IllegalArgumentException(
          "name: \"" + literal + "\" (expected: an IP address without a scope)");
    }
    try {
      return InetAddress.ofLiteral(literal);
    } catch (IllegalArgumentException notAnAddress) {
      throw new IllegalArgumentException(
          "name: \"" + literal + "\" (expected: a DNS name or an IP address)", notAnAddress);
    }
  }

  /** For messages, in the order given. */
  @Override
  public String toString() {
    var all = new LinkedHashSet<>(hosts);
    addresses.forEach(address -> all.add(address.getHostAddress()));
    return String.join(", ", all);
  }
}
