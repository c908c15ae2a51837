package dev.sluice.controlplane;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Users and their rights: files in the data directory, kept when the directory is used again, so
 * that tokens issued before stay valid.
 */
final class Credentials {
  private static final Base64.Encoder PEM = Base64.getMimeEncoder(64, "\n".getBytes(UTF_8));

  private final Path folder;

  private Credentials(Path folder) {
    this.folder = folder;
  }

  /** Makes what is not there yet. */
  static Credentials in(Path folder) {
    var credentials = new Credentials(folder);
    if (!Files.exists(credentials.tokens())) {
      PrivateFiles.write(credentials.tokens(), newToken() + ",admin,admin,\"system:masters\"\n");
    }
    if (!Files.exists(credentials.serviceAccountKey())) {
      PrivateFiles.write(credentials.serviceAccountKey(), newKey());
    }
    return credentials;
  }

  Path tokens() {
    return folder.resolve("tokens.csv");
  }

  Path serviceAccountKey() {
    return folder.resolve("service-account.key");
  }

  Path servingFolder() {
    return folder.resolve("serving");
  }

  Path kubeconfig() {
    return folder.resolve("kubeconfig");
  }

  String token() {
    String line = PrivateFiles.read(tokens());
    return line.substring(0, line.indexOf(','));
  }

  /** Whether the API server has written its certificate. */
  boolean hasServingCertificate() {
    return Files.exists(servingFolder().resolve("apiserver.crt"))
        && Files.exists(servingFolder().resolve("apiserver.key"));
  }

  /**
   * The certificate that signed the API server's: it makes both itself and writes the authority's
   * behind its own.
   */
  String caPem() {
    byte[] chain = PrivateFiles.read(servingFolder().resolve("apiserver.crt")).getBytes(UTF_8);
    try {
      X509Certificate last = null;
      for (var certificate :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(chain))) {
        last = (X509Certificate) certificate;
      }
      if (last == null) {
        throw new IllegalStateException("apiserver.crt: empty (expected: certificates)");
      }
      return pem("CERTIFICATE", last.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read can be written", e);
    } catch (CertificateException e) {
      throw new IllegalStateException("apiserver.crt (expected: certificates): " + e, e);
    }
  }

  void writeKubeconfig(URI server) {
    String ca = Base64.getEncoder().encodeToString(caPem().getBytes(UTF_8));
    PrivateFiles.write(
        kubeconfig(),
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: sluice
          cluster:
            server: %s
            certificate-authority-data: %s
        users:
        - name: admin
          user:
            token: %s
        contexts:
        - name: sluice
          context:
            cluster: sluice
            user: admin
        current-context: sluice
        """
            .formatted(server, ca, token()));
  }

  private static String newToken() {
    byte[] bytes = new byte[24];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** A private key and, since the API server reads no public key out of that, the public one. */
  private static String newKey() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      var pair = generator.generateKeyPair();
      return pem("PRIVATE KEY", pair.getPrivate().getEncoded())
          + pem("PUBLIC KEY", pair.getPublic().getEncoded());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has elliptic curves", e);
    }
  }

  private static String pem(String type, byte[] content) {
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
        .formatted(type, PEM.encodeToString(content));
  }
}
