package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.webhook.server.ClientCheck;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may ask, over real TLS. */
class ClientCertificateIT {
  private static final String ADMISSION = "/validate-kueue-x-k8s-io-v1beta2-topology";
  private static final Duration YEAR = Duration.ofDays(365);

  @TempDir private Path dir;

  private final Party authority = Party.authority("clients");
  private final Party apiServer = authority.client("kube-apiserver", YEAR);

  /** A certificate and its key. */
  private record Party(X509Certificate certificate, KeyPair keys) {
    static Party authority(String name) {
      KeyPair keys = newKeys();
      return new Party(sign(name, name, keys, keys, YEAR, true, null), keys);
    }

    Party client(String name, Duration lifetime) {
      return issue(name, lifetime, KeyPurposeId.id_kp_clientAuth);
    }

    Party issue(String name, Duration lifetime, KeyPurposeId use) {
      KeyPair theirs = newKeys();
      String issuer = certificate.getSubjectX500Principal().getName().substring(3);
      return new Party(sign(name, issuer, theirs, keys, lifetime, false, use), theirs);
    }

    private static KeyPair newKeys() {
      try {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        return generator.generateKeyPair();
      } catch (GeneralSecurityException e) {
        throw new AssertionError(e);
      }
    }

    private static X509Certificate sign(
        String name,
        String issuer,
        KeyPair keys,
        KeyPair signer,
        Duration lifetime,
        boolean authority,
        @org.jspecify.annotations.Nullable KeyPurposeId use) {
      try {
        Instant start = Instant.now().minus(Duration.ofDays(10));
        var builder =
            new JcaX509v3CertificateBuilder(
                new X500Name("CN=" + issuer),
                new BigInteger(64, new java.util.Random()),
                Date.from(start),
                Date.from(start.plus(lifetime)),
                new X500Name("CN=" + name),
                keys.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
        if (use != null) {
          builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(use));
        }
        return new JcaX509CertificateConverter()
            .getCertificate(
                builder.build(
                    new JcaContentSignerBuilder("SHA256withECDSA").build(signer.getPrivate())));
      } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
        throw new AssertionError(e);
      }
    }

    String pem() {
      try {
        return "-----BEGIN CERTIFICATE-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded())
            + "\n-----END CERTIFICATE-----\n";
      } catch (GeneralSecurityException e) {
        throw new AssertionError(e);
      }
    }
  }

  private Served served(boolean conversions, String... names) throws IOException {
    return served(authority.pem(), conversions, names);
  }

  private Served served(String authorities, boolean conversions, String... names)
      throws IOException {
    Path file = Files.writeString(dir.resolve("clients.pem"), authorities);
    return Served.with(
        Served.OPTIONS.toBuilder()
            .clients(new ClientCheck(file, Set.of(names), conversions))
            .build(),
        Served.certificates(dir));
  }

  private static HttpClient client(
      Served served, Version version, @org.jspecify.annotations.Nullable Party party) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      char[] password = "test".toCharArray();
      if (party != null) {
        store.setKeyEntry(
            "me", party.keys().getPrivate(), password, new X509Certificate[] {party.certificate()});
      }
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, password);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust(served), null);
      return Served.client(context, version);
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  private static TrustManager[] trust(Served served) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry(
        "ca",
        java.security.cert.CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new java.io.ByteArrayInputStream(
                    served.server().caBundlePem().getBytes(StandardCharsets.UTF_8))));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    return trust.getTrustManagers();
  }

  private static HttpResponse<String> review(HttpClient client, Served served) {
    return served.post(client, ADMISSION, Texts.creation("u", "rack"));
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void answersACallerWithACertificateAndNoOther(Version version) throws IOException {
    try (Served served = served(false);
        HttpClient known = client(served, version, apiServer);
        HttpClient nobody = client(served, version, null)) {
      assertThat(review(known, served).statusCode()).isEqualTo(200);
      assertThat(review(known, served).statusCode()).isEqualTo(200);

      HttpResponse<String> refused = review(nobody, served);

      assertThat(refused.statusCode()).isEqualTo(401);
      assertThat(refused.body()).contains("no client certificate (expected: one)");
      assertThat(served.post(nobody, "/convert", Texts.conversion("u", "a")).statusCode())
          .isEqualTo(200);
      assertThat(health(served)).isEqualTo(200);
    }
  }

  @Test
  void asksForItOnConversionsWhereConfigured() throws IOException {
    try (Served served = served(true);
        HttpClient known = client(served, Version.HTTP_2, apiServer);
        HttpClient nobody = client(served, Version.HTTP_2, null)) {
      assertThat(served.post(known, "/convert", Texts.conversion("u", "a")).statusCode())
          .isEqualTo(200);
      assertThat(served.post(nobody, "/convert", Texts.conversion("u", "a")).statusCode())
          .isEqualTo(401);
      assertThat(health(served)).isEqualTo(200);
    }
  }

  @Test
  void refusesCertificatesThatAreOthersOrOldOrForServersOrOfTheWrongName() throws IOException {
    Party stranger = Party.authority("clients").client("kube-apiserver", YEAR);
    Party late = authority.client("kube-apiserver", Duration.ofDays(9));
    Party server = authority.issue("kube-apiserver", YEAR, KeyPurposeId.id_kp_serverAuth);
    Party other = authority.client("mallory", YEAR);
    try (Served served = served(false, "kube-apiserver")) {
      assertThat(answer(served, apiServer)).startsWith("200 ");
      assertThat(answer(served, stranger)).startsWith("403 the client certificate is not trusted");
      assertThat(answer(served, late)).startsWith("403 the client certificate is not trusted");
      assertThat(answer(served, other)).startsWith("403 the client \"mallory\" may not ask");
      // a client of this runtime does not even show such a certificate
      assertThat(answer(served, server)).startsWith("40");
    }
  }

  private static String answer(Served served, Party party) {
    try (HttpClient client = client(served, Version.HTTP_2, party)) {
      HttpResponse<String> answer = review(client, served);
      return answer.statusCode() + " " + answer.body();
    }
  }

  @Test
  void takesNewAuthoritiesAlsoForConnectionsThatStand() throws IOException {
    try (Served served = served(false);
        HttpClient known = client(served, Version.HTTP_2, apiServer)) {
      assertThat(review(known, served).statusCode()).isEqualTo(200);

      Files.writeString(dir.resolve("clients.pem"), Party.authority("new").pem());
      served.server().checkCertificate();

      assertThat(review(known, served).statusCode()).isEqualTo(403);

      Files.writeString(dir.resolve("clients.pem"), "nonsense");
      served.server().checkCertificate();

      assertThat(review(known, served).statusCode()).isEqualTo(403);
    }
  }

  @Test
  void doesNotStartWithoutAuthorities() {
    assertThatThrownBy(() -> served("nothing", false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("clients.pem")
        .hasMessageContaining("expected: ");
  }

  private static int health(Served served) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + served.server().httpPort() + "/readyz");
      return Served.send(client, HttpRequest.newBuilder(uri).build()).statusCode();
    }
  }
}
