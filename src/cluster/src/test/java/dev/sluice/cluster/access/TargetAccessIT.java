package dev.sluice.cluster.access;

import static dev.sluice.cluster.access.TestAuthority.pem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import java.net.URI;
import java.security.KeyPair;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logging in with values, against a server that tells who called. */
class TargetAccessIT {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final TestAuthority AUTHORITY = TestAuthority.named("CN=cluster");
  private static final TestAuthority CLIENTS = TestAuthority.named("CN=clients");
  private static final TlsApiServer SERVER = new TlsApiServer(AUTHORITY, "CN=here", CLIENTS);

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private static Target target(Target.Login login) {
    return new Target(URI.create(SERVER.url()), AUTHORITY.pem(), "", "", login);
  }

  private static Target.Login token(String token) {
    return new Target.Login(token, "", "");
  }

  private static String ask(Connection connection) {
    return new String(connection.get("/who", Connection.JSON, BOUND), UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "RSA:2048, PKCS1",
    "RSA:2048, PKCS8",
    "EC:secp256r1, SEC1",
    "EC:secp384r1, PKCS8",
    "Ed25519, PKCS8",
  })
  void aClientKeyOfEveryKindLogsIn(String kind, String encoding) {
    KeyPair keys = TestAuthority.keys(kind);
    Target.Login login =
        new Target.Login("", pem(CLIENTS.issue(keys, "CN=kim")), pem(keys, encoding));
    try (Connection connection = Connection.to(TargetAccess.to(target(login)).access())) {
      assertThat(ask(connection)).startsWith("CN=kim|");
    }
  }

  @Test
  void aReplacedTokenIsUsedByTheNextRequestOnTheSameConnection() {
    TargetAccess access = TargetAccess.to(target(token("first")));
    try (Connection connection = Connection.to(access.access())) {
      assertThat(ask(connection)).contains("|Bearer first|");

      assertThat(access.replaceLogin(target(token("second")))).isTrue();

      assertThat(ask(connection)).contains("|Bearer second|");
    }
  }

  @Test
  void anotherServerOrAnUnusableLoginReplacesNothing() {
    TargetAccess access = TargetAccess.to(target(token("stays")));
    Target elsewhere =
        new Target(URI.create("https://127.0.0.2:6443"), AUTHORITY.pem(), "", "", token("no"));
    Target otherAuthority =
        new Target(
            URI.create(SERVER.url()), TestAuthority.named("CN=x").pem(), "", "", token("no"));
    try (Connection connection = Connection.to(access.access())) {
      assertThat(access.replaceLogin(elsewhere)).isFalse();
      assertThat(access.replaceLogin(otherAuthority)).isFalse();
      assertThatThrownBy(() -> access.replaceLogin(target(token("two words"))))
          .isInstanceOf(AccessException.class);

      assertThat(ask(connection)).contains("|Bearer stays|");
    }
  }

  @Test
  void aServerOfAnotherAuthorityIsNotTrusted() {
    Target other =
        new Target(
            URI.create(SERVER.url()), TestAuthority.named("CN=other").pem(), "", "", token("t"));
    try (Connection connection = Connection.to(TargetAccess.to(other).access())) {
      assertThatThrownBy(() -> ask(connection)).isInstanceOf(ConnectionException.class);
    }
  }

  @Test
  void whatCannotBeUsedIsNamedWithoutAnySecret() {
    KeyPair keys = TestAuthority.keys("EC:secp256r1");
    String certificate = pem(CLIENTS.issue(keys, "CN=kim"));
    String otherKey = pem(TestAuthority.keys("EC:secp256r1"), "PKCS8");

    refused(new Target.Login("to ken", "", ""), "token: is no token");
    refused(new Target.Login("", certificate, ""), "client-key-data: is missing");
    refused(new Target.Login("", "", otherKey), "client-certificate-data: is missing");
    refused(new Target.Login("", certificate, otherKey), "client-key-data: does not belong");
    refused(new Target.Login("", certificate, "planted"), "client-key-data: is no private key");
    assertThat(target(new Target.Login("planted", certificate, otherKey)).toString())
        .doesNotContain("planted", "PRIVATE");
  }

  private static void refused(Target.Login login, String sentence) {
    assertThatThrownBy(() -> TargetAccess.to(target(login)))
        .isInstanceOf(AccessException.class)
        .hasMessageStartingWith(sentence)
        .message()
        .doesNotContain("planted", "to ken");
  }
}
