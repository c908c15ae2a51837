package dev.sluice.certs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.certs.AuthorityStore.Stored;
import dev.sluice.certs.CertificateStatus.Phase;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SharedCertificateTest {
  private static final Lifetimes LIFETIMES =
      new Lifetimes(Duration.ofDays(100), Duration.ofDays(10));

  private Instant now = Fixtures.NOW;
  private final InMemory store = new InMemory();

  /** One text with a version. */
  private static final class InMemory implements AuthorityStore {
    private Optional<Stored> stored = Optional.empty();
    private Runnable beforeTheNextWrite = () -> {};
    private String summary = "";
    private boolean away;
    private int versions;

    @Override
    public Optional<Stored> read() {
      if (away) {
        throw new IllegalStateException("no answer");
      }
      return stored;
    }

    @Override
    public boolean write(String text, String summary, Optional<Stored> replaced) {
      Runnable first = beforeTheNextWrite;
      beforeTheNextWrite = () -> {};
      first.run();
      boolean same = replaced.map(Stored::version).equals(stored.map(Stored::version));
      if (same) {
        this.summary = summary;
        put(text);
      }
      return same;
    }

    void put(String text) {
      stored = Optional.of(new Stored(text, "v" + ++versions, ""));
    }

    @Override
    public String toString() {
      return "the store";
    }
  }

  private SharedCertificate open() {
    return SharedCertificate.open(
        store,
        List.of("sluice.example", "127.0.0.1"),
        LIFETIMES,
        Duration.ofSeconds(30),
        () -> now,
        new SecureRandom());
  }

  @Test
  void theFirstServerCreatesTheAuthorityAndAllServeCertificatesOfIt() {
    SharedCertificate first = open();
    SharedCertificate second = open();

    assertThat(second.caBundlePem()).isEqualTo(first.caBundlePem());
    assertThat(second.current().leaf().getIssuerX500Principal())
        .isEqualTo(first.current().leaf().getIssuerX500Principal());
    assertThat(second.current().key()).isNotEqualTo(first.current().key());
  }

  @Test
  void ofTwoThatCreateAtOnceOneSucceedsAndTheOtherUsesItsAuthority() {
    SharedCertificate[] other = new SharedCertificate[1];
    store.beforeTheNextWrite = () -> other[0] = open();

    SharedCertificate one = open();

    assertThat(one.caBundlePem()).isEqualTo(other[0].caBundlePem());
  }

  @Test
  void aDeletedAuthorityIsRestored() {
    SharedCertificate server = open();
    String text = store.stored.orElseThrow().text();
    store.stored = Optional.empty();

    assertThat(server.refresh()).isInstanceOf(Refresh.Unchanged.class);
    assertThat(store.stored.orElseThrow().text()).isEqualTo(text);
  }

  @Test
  void aServerThatKnowsADamagedAuthorityRestoresIt() {
    SharedCertificate server = open();
    String text = store.stored.orElseThrow().text();
    store.put(text.substring(0, 200));

    assertThat(server.refresh()).isInstanceOf(Refresh.Unchanged.class);
    assertThat(store.stored.orElseThrow().text()).isEqualTo(text);
  }

  @Test
  void aDamagedAuthorityKeepsANewServerFromStartingAndIsNotReplaced() {
    store.put("damaged");

    assertThatThrownBy(this::open)
        .isInstanceOf(CertificateProblem.class)
        .hasMessageStartingWith("the store: ");
    assertThat(store.stored.orElseThrow().text()).isEqualTo("damaged");
  }

  @Test
  void whileTheStoreIsAwayTheCertificateIsServedOn() {
    SharedCertificate server = open();
    ServingCertificate before = server.current();
    store.away = true;

    assertThat(server.refresh())
        .isInstanceOfSatisfying(
            Refresh.Refused.class,
            refused -> assertThat(refused.problem()).hasMessage("the store: no answer"));
    assertThat(server.current()).isEqualTo(before);
  }

  @Test
  void aCertificateInItsLastThirdIsReplacedAndTheBundleStays() {
    SharedCertificate server = open();
    ServingCertificate before = server.current();
    String bundle = server.caBundlePem();
    now = now.plus(Duration.ofDays(7));

    assertThat(server.refresh()).isInstanceOf(Refresh.Changed.class);
    assertThat(server.current()).isNotEqualTo(before);
    assertThat(server.caBundlePem()).isEqualTo(bundle);
  }

  @Test
  void aRequestedAuthoritySignsOnceItWasSeenEverywhereForAWhile() {
    SharedCertificate server = open();
    Stored at = store.stored.orElseThrow();
    store.stored = Optional.of(new Stored(at.text(), at.version(), "please"));

    server.refresh();
    ServingCertificate before = server.current();
    server.seen(server.caBundlePem(), true);
    now = now.plusSeconds(29);
    server.refresh();
    assertThat(server.current()).as("too early").isEqualTo(before);

    now = now.plusSeconds(1);
    server.refresh();
    assertThat(server.current()).isNotEqualTo(before);
    assertThat(Pem.parse(server.caBundlePem()).certificates()).hasSize(2);
  }

  @Test
  void aRequestOfSeveralLinesIsOneAndFulfilledOnce() {
    SharedCertificate server = open();
    Stored at = store.stored.orElseThrow();
    store.stored = Optional.of(new Stored(at.text(), at.version(), " a\n# SIGNING since b\n"));

    server.refresh();
    String introduced = store.stored.orElseThrow().text();
    store.stored = Optional.of(new Stored(introduced, "v", " a\n# SIGNING since b\n"));

    assertThat(server.refresh()).isInstanceOf(Refresh.Unchanged.class);
    assertThat(store.stored.orElseThrow().text()).isEqualTo(introduced);
    assertThat(Pem.parse(introduced).certificates()).hasSize(2);
  }

  @Test
  void theStatusFollowsANewAuthorityFromItsPublicationToTheEndOfTheOldOne() {
    SharedCertificate server = open();
    assertThat(server.status().phase()).isEqualTo(Phase.STEADY);
    assertThat(server.status().next().what()).isEqualTo("a new serving certificate");

    Stored at = store.stored.orElseThrow();
    store.stored = Optional.of(new Stored(at.text(), at.version(), "please"));
    server.refresh();
    assertThat(server.status().phase()).isEqualTo(Phase.PUBLISHING);
    assertThat(server.status().next().due()).isEmpty();
    assertThat(store.summary).startsWith("introduced since ").contains("; signing since ");
    assertThat(store.summary).doesNotContain("KEY");

    server.seen(server.caBundlePem(), true);
    assertThat(server.status().phase()).isEqualTo(Phase.SETTLING);
    assertThat(server.status().next().due()).contains(now.plusSeconds(30));

    now = now.plusSeconds(30);
    server.refresh();
    assertThat(server.status().phase()).isEqualTo(Phase.OVERLAPPING);
    assertThat(server.status().text(now))
        .contains("authority signing since " + now, "authority retired since " + now);

    now = now.plus(LIFETIMES.serving()).plus(Duration.ofMinutes(6));
    server.refresh();
    assertThat(server.status().phase()).isEqualTo(Phase.STEADY);
  }

  @Test
  void aCertificateThatCouldNotBeRenewedInTimeIsExpired() {
    SharedCertificate server = open();
    store.away = true;
    now = now.plus(LIFETIMES.serving()).plusSeconds(1);
    server.refresh();
    assertThat(server.status().phase()).isEqualTo(Phase.EXPIRED);
    assertThat(server.status().isGood()).isFalse();

    store.away = false;
    server.refresh();
    assertThat(server.status().phase()).isEqualTo(Phase.STEADY);
  }

  @Test
  void aBundleThatWasSeenAndLostStartsOver() {
    SharedCertificate server = open();
    Stored at = store.stored.orElseThrow();
    store.stored = Optional.of(new Stored(at.text(), at.version(), "please"));
    server.refresh();
    ServingCertificate before = server.current();
    server.seen(server.caBundlePem(), true);
    server.seen(server.caBundlePem(), false);
    now = now.plusSeconds(60);

    server.refresh();
    server.seen(server.caBundlePem(), true);
    server.refresh();

    assertThat(server.current()).isEqualTo(before);
  }
}
