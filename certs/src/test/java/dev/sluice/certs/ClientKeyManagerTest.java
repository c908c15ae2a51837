package dev.sluice.certs;

import static dev.sluice.certs.Fixtures.keys;
import static dev.sluice.certs.Fixtures.selfSigned;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientKeyManagerTest {
  private final ClientCertificate ec = Fixtures.serving().asClient();
  private final ClientCertificate rsa = selfSigned(keys("RSA", 2048), "SHA256withRSA").asClient();

  @ParameterizedTest
  @CsvSource({"EC, true, false", "RSA, false, true", "EdDSA, false, false"})
  void offersAnAliasForTheKindOfKeyItHas(String keyType, boolean forEc, boolean forRsa) {
    assertThat(alias(ClientKeyManager.always(ec), keyType) != null).isEqualTo(forEc);
    assertThat(alias(ClientKeyManager.always(rsa), keyType) != null).isEqualTo(forRsa);
  }

  @Test
  void answersSocketsAndEnginesAlike() {
    var manager = ClientKeyManager.always(ec);

    var alias = requireNonNull(alias(manager, "EC"));

    assertThat(manager.chooseEngineClientAlias(new String[] {"RSA", "EC"}, null, null))
        .isEqualTo(alias);
    assertThat(manager.getClientAliases("EC", null)).containsExactly(alias);
    assertThat(manager.getCertificateChain(alias)).containsExactly(ec.leaf());
    assertThat(manager.getPrivateKey(alias)).isEqualTo(ec.key());
  }

  @Test
  void anAliasNamesOneCertificateForGoodWhileOthersFollow() {
    var current = new AtomicReference<>(Optional.of(ec));
    var manager = new ClientKeyManager(current::get);
    var first = requireNonNull(alias(manager, "EC"));

    current.set(Optional.of(rsa));
    var second = requireNonNull(alias(manager, "RSA"));

    assertThat(alias(manager, "EC")).isNull();
    assertThat(manager.getCertificateChain(first)).containsExactly(ec.leaf());
    assertThat(manager.getCertificateChain(second)).containsExactly(rsa.leaf());
  }

  @Test
  void showsNothingWhereThereIsNoCertificateAndNothingAsAServer() {
    assertThat(alias(new ClientKeyManager(Optional::empty), "EC")).isNull();
    assertThat(ClientKeyManager.always(ec).chooseServerAlias("EC", null, null)).isNull();
    assertThat(ClientKeyManager.always(ec).getServerAliases("EC", null)).isNull();
  }

  private static @Nullable String alias(ClientKeyManager manager, String keyType) {
    return manager.chooseClientAlias(new String[] {keyType}, null, null);
  }
}
