package dev.sluice.certs;

import static dev.sluice.certs.Fixtures.RANDOM;
import static dev.sluice.certs.Fixtures.keys;
import static dev.sluice.certs.Fixtures.selfSigned;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SwitchingKeyManagerTest {
  private final ServingCertificate ec = Fixtures.serving();
  private final ServingCertificate rsa = selfSigned(keys("RSA", 2048), "SHA256withRSA");

  @ParameterizedTest
  @CsvSource({
    "EC,         true,  false",
    "EC_EC,      true,  false",
    "EC_RSA,     true,  false",
    "RSA,        false, true",
    "RSASSA-PSS, false, false",
    "EdDSA,      false, false"
  })
  void offersAnAliasForTheKindOfKeyItHas(String keyType, boolean forEc, boolean forRsa) {
    assertThat(alias(new SwitchingKeyManager(ec), keyType) != null).isEqualTo(forEc);
    assertThat(alias(new SwitchingKeyManager(rsa), keyType) != null).isEqualTo(forRsa);
  }

  @Test
  void answersSocketsAndEnginesAlike() {
    var manager = new SwitchingKeyManager(ec);

    var alias = requireNonNull(alias(manager, "EC"));

    assertThat(manager.chooseServerAlias("EC", null, null)).isEqualTo(alias);
    assertThat(manager.getServerAliases("EC", null)).containsExactly(alias);
    assertThat(manager.getServerAliases("RSA", null)).isNull();
  }

  @Test
  void offersNothingToAClient() {
    var manager = new SwitchingKeyManager(ec);

    assertThat(manager.getClientAliases("EC", null)).isNull();
    assertThat(manager.chooseClientAlias(new String[] {"EC"}, null, null)).isNull();
    assertThat(manager.chooseEngineClientAlias(new String[] {"EC"}, null, null)).isNull();
  }

  @Test
  void aHandshakeKeepsTheCertificateItBeganWith() {
    var manager = new SwitchingKeyManager(ec);
    var begun = requireNonNull(alias(manager, "EC"));

    manager.switchTo(rsa);

    assertThat(manager.getCertificateChain(begun)).containsExactly(ec.leaf());
    assertThat(manager.getPrivateKey(begun)).isEqualTo(ec.key());
    assertThat(manager.current()).isEqualTo(rsa);
    assertThat(manager.getPrivateKey(requireNonNull(alias(manager, "RSA")))).isEqualTo(rsa.key());
  }

  @Test
  void switchingBackAndForthForgetsNothing() {
    var manager = new SwitchingKeyManager(ec);
    var begun = requireNonNull(alias(manager, "EC"));

    for (int i = 0; i < 100; i++) {
      manager.switchTo(i % 2 == 0 ? rsa : ec);
    }

    assertThat(manager.getPrivateKey(begun)).isEqualTo(ec.key());
    assertThat(alias(manager, "EC")).isEqualTo(begun);
  }

  @Test
  void forgetsOldKeysInTheEnd() {
    var manager = new SwitchingKeyManager(ec);
    var begun = requireNonNull(alias(manager, "EC"));

    for (int i = 1; i < SwitchingKeyManager.REMEMBERED; i++) {
      manager.switchTo(Fixtures.serving());
    }
    assertThat(manager.getPrivateKey(begun)).isEqualTo(ec.key());
    manager.switchTo(Fixtures.serving());

    assertThat(manager.getPrivateKey(begun)).isNull();
    assertThat(manager.getCertificateChain(begun)).isNull();
  }

  @Test
  void knowsNothingOfStrangeAliases() {
    var manager = new SwitchingKeyManager(ec);

    assertThat(manager.getPrivateKey("other")).isNull();
    assertThat(manager.getCertificateChain("other")).isNull();
  }

  // clients compare the name they called with the names in the certificate

  private final InstantSource wallClock = InstantSource.system(); // as that of the TLS client
  private final CertificateAuthority authority =
      CertificateAuthority.create(Duration.ofDays(30), wallClock, RANDOM);
  private final ServingCertificate serving =
      authority.issue(
          List.of("sluice.kueue-system.svc", "*.example.org", "localhost", "127.0.0.1", "::1"),
          Duration.ofDays(1),
          wallClock,
          RANDOM);

  @ParameterizedTest
  @ValueSource(
      strings = {"sluice.kueue-system.svc", "one.example.org", "localhost", "127.0.0.1", "::1"})
  void aClientThatTrustsTheAuthorityAcceptsEachServedName(String name) throws SSLException {
    var server = Tls.server(new SwitchingKeyManager(serving));

    var shown = Tls.shown(server, Tls.clientTrusting(Pem.of(authority.certificate())), name);

    assertThat(shown).isEqualTo(serving.leaf());
  }

  @ParameterizedTest
  @ValueSource(strings = {"other.svc", "127.0.0.2", "::2", "two.levels.example.org"})
  void aClientRefusesEveryOtherName(String name) {
    var server = Tls.server(new SwitchingKeyManager(serving));
    var client = Tls.clientTrusting(Pem.of(authority.certificate()));

    assertThatThrownBy(() -> Tls.shown(server, client, name))
        .isInstanceOf(SSLHandshakeException.class);
  }

  @Test
  void aClientThatTrustsAnotherAuthorityRefuses() {
    var server = Tls.server(new SwitchingKeyManager(serving));
    var other = CertificateAuthority.create(Duration.ofDays(30), wallClock, RANDOM);
    var client = Tls.clientTrusting(Pem.of(other.certificate()));

    assertThatThrownBy(() -> Tls.shown(server, client, "localhost"))
        .isInstanceOf(SSLHandshakeException.class);
  }

  @Test
  void aClientFindsTheRightOneAmongAuthoritiesOfTheSameName() throws SSLException {
    var server = Tls.server(new SwitchingKeyManager(serving));
    var next = CertificateAuthority.create(Duration.ofDays(30), wallClock, RANDOM);
    var client = Tls.clientTrusting(Pem.of(next.certificate()) + Pem.of(authority.certificate()));

    assertThat(Tls.shown(server, client, "localhost")).isEqualTo(serving.leaf());
  }

  private static @Nullable String alias(SwitchingKeyManager manager, String keyType) {
    return manager.chooseEngineServerAlias(keyType, null, null);
  }
}
