package dev.sluice.certs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.certs.AuthorityStore.Stored;
import dev.sluice.testkit.Tier;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Several servers share a store, publish bundles at places of their own choice of time, and are
 * killed and started; clients load a place late. At no step does a client refuse a server, also
 * where the clocks of servers are an hour ahead of those of clients, or an hour behind.
 */
class SharedAuthoritiesLawTest {
  private static final Lifetimes LIFETIMES =
      new Lifetimes(Duration.ofHours(90), Duration.ofHours(20));
  private static final Duration SETTLING = Duration.ofMinutes(60);
  private static final Duration STEP = Duration.ofMinutes(30);
  private static final int PLACES = 3;
  private static final int STEPS = Tier.number(100, 200);

  /** How far the clocks of both servers are ahead; the first makes the first authority. */
  private static final List<List<Duration>> CLOCKS =
      List.of(
          List.of(Duration.ZERO, Duration.ZERO),
          List.of(Duration.ofHours(1), Duration.ZERO),
          List.of(Duration.ofHours(-1), Duration.ZERO),
          List.of(Duration.ofHours(1), Duration.ofHours(-1)));

  private final SecureRandom keys = new SecureRandom();
  private Instant now = Fixtures.NOW;
  private Optional<Stored> stored = Optional.empty();
  private int versions;
  private String request = "";
  private boolean away;

  /** What is stored in each place, and what the client of each place has loaded of it. */
  private final String[] places = {"", "", ""};

  private final String[] loaded = {"", "", ""};
  private final Instant[] changed = {now, now, now};

  /** One store for all, which may be away. */
  private final AuthorityStore store =
      new AuthorityStore() {
        @Override
        public Optional<Stored> read() {
          requireThere();
          return stored.map(it -> new Stored(it.text(), it.version(), request));
        }

        @Override
        public boolean write(String text, String summary, Optional<Stored> replaced) {
          requireThere();
          if (!replaced.map(Stored::version).equals(stored.map(Stored::version))) {
            return false;
          }
          stored = Optional.of(new Stored(text, "v" + ++versions, ""));
          return true;
        }

        private void requireThere() {
          if (away) {
            throw new IllegalStateException("away");
          }
        }

        @Override
        public String toString() {
          return "the store";
        }
      };

  private SharedCertificate start(Duration ahead) {
    return SharedCertificate.open(
        store, List.of("localhost"), LIFETIMES, SETTLING, () -> now.plus(ahead), keys);
  }

  /** One round of a publisher: it sees all places, then adds where something lacks. */
  private void publish(SharedCertificate server, Random random) {
    String bundle = server.caBundlePem();
    boolean everywhere = true;
    for (int i = 0; i < PLACES; i++) {
      String wanted = TrustBundle.adding(bundle, server.withdrawnPem(), places[i], now);
      if (!wanted.equals(places[i])) {
        everywhere = false;
        if (random.nextInt(10) > 0) { // else it could not be written
          places[i] = wanted;
          changed[i] = now;
        }
      }
    }
    server.seen(bundle, everywhere);
  }

  private static boolean accepts(String bundle, ServingCertificate serving, Instant now) {
    if (!counts(serving.validity(), now)) {
      return false;
    }
    for (X509Certificate authority : Pem.parse(bundle).certificates()) {
      if (Authorities.isSignedBy(serving.leaf(), authority)
          && counts(Validity.of(authority), now)) {
        return true;
      }
    }
    return false;
  }

  private static boolean counts(Validity validity, Instant now) {
    return validity.hasBegun(now) && !validity.isOver(now);
  }

  static LongStream seeds() {
    return Tier.seeds(2, 4);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noClientRefusesAServer(long seed) {
    List<Duration> clocks = CLOCKS.get((int) (seed % CLOCKS.size()));
    Random random = new Random(seed);
    List<SharedCertificate> servers = new ArrayList<>(clocks.stream().map(this::start).toList());
    servers.forEach(
        server ->
            publish(
                server,
                new Random(0) {
                  @Override
                  public int nextInt(int bound) {
                    return bound - 1; // the first of all bundles is there before anybody calls
                  }
                }));
    System.arraycopy(places, 0, loaded, 0, PLACES);
    int rollovers = 0;
    for (int step = 0; step < STEPS; step++) {
      now = now.plus(STEP);
      away = random.nextInt(20) == 0;
      if (random.nextInt(25) == 0) {
        request = "at step " + step;
        rollovers++;
      }
      if (!away && random.nextInt(40) == 0) {
        stored = Optional.empty(); // somebody deletes it
        servers.getFirst().refresh();
      }
      if (!away && random.nextInt(30) == 0) {
        int which = random.nextInt(servers.size());
        if (stored.isPresent()) {
          servers.set(which, start(clocks.get(which)));
        }
      }
      for (SharedCertificate server : servers) {
        if (random.nextInt(3) > 0) {
          server.refresh();
        }
        if (random.nextInt(3) > 0) {
          publish(server, random);
        }
      }
      for (int i = 0; i < PLACES; i++) {
        boolean late = now.isAfter(changed[i].plus(SETTLING).minus(STEP));
        if (late || random.nextBoolean()) {
          loaded[i] = places[i];
        }
      }
      for (int i = 0; i < PLACES; i++) {
        for (SharedCertificate server : servers) {
          assertThat(accepts(loaded[i], server.current(), now))
              .as("step %d, place %d, %s", step, i, server.status())
              .isTrue();
        }
      }
    }
    assertThat(rollovers).isPositive();
  }
}
