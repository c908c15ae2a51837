package dev.sluice.webhook.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a chain of certificates belongs to an allowed client. The server itself is
 * allowed with its serving certificate, which no other client can present. Thread-safe.
 */
public final class ClientAuthorities {
  private static final Logger LOG = LoggerFactory.getLogger(ClientAuthorities.class);
  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
  private static final String ANY_USE = "2.5.29.37.0";
  private static final long LARGEST_FILE = 1 << 20;

  private final ClientCheck check;
  private final Supplier<X509Certificate> ours;
  private volatile Anchors anchors;

  /**
   * The authorities as they stood in the file; after a change every connection is checked again.
   */
  private record Anchors(String content, Set<TrustAnchor> trusted) {}

  /**
   * Those of the file, which has to be readable.
   *
   * @param ours the certificate we serve now
   * @throws IllegalArgumentException if the file cannot be read or holds no certificate
   */
  public ClientAuthorities(ClientCheck check, Supplier<X509Certificate> ours) {
    this.check = check;
    this.ours = ours;
    this.anchors = read(check.authorities());
  }

  private static Anchors read(Path file) {
    try {
      if (Files.size(file) > LARGEST_FILE) {
        throw new IllegalArgumentException(
            file + ": larger than " + LARGEST_FILE + " bytes (expected: certificates in PEM)");
      }
      byte[] content = Files.readAllBytes(file);
      Set<TrustAnchor> trusted = new LinkedHashSet<>();
      for (var certificate :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(content))) {
        trusted.add(new TrustAnchor((X509Certificate) certificate, null));
      }
      if (trusted.isEmpty()) {
        throw new IllegalArgumentException(
            file + ": no certificate in it (expected: one or more in PEM)");
      }
      return new Anchors(new String(content, ISO_8859_1), trusted);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          file + " cannot be read: " + e.getMessage() + " (expected: certificates in PEM)", e);
    }
  }

  /** Reads the file again; a faulty file is ignored with a warning. Reads a file. */
  public void refresh() {
    try {
      Anchors now = read(check.authorities());
      if (!now.content().equals(anchors.content())) {
        anchors = now;
        LOG.info("reloaded the client authorities: {} certificates", now.trusted().size());
      }
    } catch (IllegalArgumentException e) {
      LOG.warn(
          "the client authorities cannot be reloaded, keeping the previous ones: {}",
          e.getMessage());
    }
  }

  /** Whether requests for conversions are checked, too. */
  boolean checksConversions() {
    return check.conversions();
  }

  /** Changes whenever allowed clients must be checked again. */
  Object generation() {
    return anchors;
  }

  /** Why the owner of this chain may not ask; empty if he may. */
  Optional<String> objection(List<X509Certificate> chain) {
    X509Certificate leaf = chain.getFirst();
    if (leaf.equals(ours.get())) {
      return Optional.empty();
    }
    try {
      PKIXParameters parameters = new PKIXParameters(new HashSet<>(anchors.trusted()));
      parameters.setRevocationEnabled(false);
      CertPathValidator.getInstance("PKIX")
          .validate(
              CertificateFactory.getInstance("X.509").generateCertPath(withoutAnchor(chain)),
              parameters);
    } catch (GeneralSecurityException e) {
      return Optional.of("the client certificate is not trusted: " + e.getMessage());
    }
    return isForClients(leaf) ? nameObjection(leaf) : Optional.of("the certificate is for servers");
  }

  private List<X509Certificate> withoutAnchor(List<X509Certificate> chain) {
    X509Certificate last = chain.getLast();
    boolean anchored =
        chain.size() > 1
            && anchors.trusted().stream().anyMatch(it -> last.equals(it.getTrustedCert()));
    return anchored ? chain.subList(0, chain.size() - 1) : chain;
  }

  private static boolean isForClients(X509Certificate leaf) {
    try {
      List<String> uses = leaf.getExtendedKeyUsage();
      return uses == null || uses.contains(CLIENT_AUTH) || uses.contains(ANY_USE);
    } catch (CertificateParsingException _) {
      return false;
    }
  }

  private Optional<String> nameObjection(X509Certificate leaf) {
    String name = commonName(leaf);
    return check.names().isEmpty() || check.names().contains(name)
        ? Optional.empty()
        : Optional.of("the client \"" + name + "\" may not ask (expected: another name)");
  }

  private static String commonName(X509Certificate leaf) {
    try {
      for (Rdn part : new LdapName(leaf.getSubjectX500Principal().getName()).getRdns()) {
        if (part.getType().equalsIgnoreCase("CN")) {
          return String.valueOf(part.getValue());
        }
      }
      return "";
    } catch (InvalidNameException _) {
      return "";
    }
  }

  /** The authorities sent to clients, which choose a certificate by them. */
  X509Certificate[] issuers() {
    return anchors.trusted().stream()
        .map(TrustAnchor::getTrustedCert)
        .toArray(X509Certificate[]::new);
  }
}
