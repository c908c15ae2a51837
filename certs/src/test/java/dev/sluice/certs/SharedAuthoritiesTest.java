package dev.sluice.certs;

import static dev.sluice.certs.AuthorityStage.INTRODUCED;
import static dev.sluice.certs.AuthorityStage.SIGNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.certs.SharedAuthorities.Member;
import dev.sluice.certs.SharedAuthorities.Observation;
import dev.sluice.certs.SharedAuthorities.Pace;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedAuthoritiesTest {
  private static final Instant NOW = Fixtures.NOW;
  private static final Duration SERVING = Duration.ofHours(10);
  private static final Duration AUTHORITY = Duration.ofHours(100);
  private static final Duration SETTLING = Duration.ofSeconds(30);
  private static final Pace PACE = new Pace(new Lifetimes(AUTHORITY, SERVING), SETTLING);

  /** A state, written as its stages, newest first; each stage was reached at {@link #NOW}. */
  private static SharedAuthorities state(String stages) {
    if (stages.isEmpty()) {
      return SharedAuthorities.NONE;
    }
    List<Member> members =
        Arrays.stream(stages.split(" "))
            .map(AuthorityStage::valueOf)
            .map(
                stage -> {
                  CertificateAuthority made = create(NOW);
                  boolean signs = stage == INTRODUCED || stage == SIGNING;
                  return new Member(
                      made.certificate(),
                      signs ? Optional.of(made.key()) : Optional.empty(),
                      stage,
                      NOW);
                })
            .toList();
    return new SharedAuthorities(members, "");
  }

  private static CertificateAuthority create(Instant at) {
    return CertificateAuthority.create(AUTHORITY, InstantSource.fixed(at), new SecureRandom());
  }

  private static String stages(SharedAuthorities state) {
    return String.join(" ", state.members().stream().map(it -> it.stage().name()).toList());
  }

  /**
   * Each row is a state and what it becomes. Hours are from when its stages were reached; `seen` is
   * how many seconds before that the bundle was seen everywhere, or -1 if it was not.
   */
  @ParameterizedTest(name = "{0} after {1} h, seen {2} s, asked {3}: {4}")
  @CsvSource({
    "'',                 0,   -1, false, SIGNING",
    "'',                 0,   99, true,  SIGNING",
    "SIGNING,            0,   -1, false, SIGNING",
    "SIGNING,            79,  99, false, SIGNING",
    "SIGNING,            80,  -1, false, INTRODUCED SIGNING",
    "SIGNING,            1,   -1, true,  INTRODUCED SIGNING",
    "SIGNING,            101, -1, false, SIGNING",
    "INTRODUCED SIGNING, 1,   -1, false, INTRODUCED SIGNING",
    "INTRODUCED SIGNING, 1,   29, false, INTRODUCED SIGNING",
    "INTRODUCED SIGNING, 1,   30, false, SIGNING RETIRED",
    "INTRODUCED SIGNING, 1,   -1, true,  INTRODUCED SIGNING",
    "INTRODUCED SIGNING, 101, -1, false, SIGNING",
    "SIGNING RETIRED,    10,  99, false, SIGNING RETIRED",
    "SIGNING RETIRED,    11,  -1, false, SIGNING WITHDRAWN",
    "SIGNING RETIRED,    11,  -1, true,  INTRODUCED SIGNING WITHDRAWN",
    "SIGNING WITHDRAWN,  79,  99, false, SIGNING WITHDRAWN",
  })
  void eachStateBecomesWhatTheClockAndTheClientsAllow(
      String before, int hours, int seen, boolean asked, String after) {
    Instant now = NOW.plus(Duration.ofHours(hours));
    Optional<Instant> since = seen < 0 ? Optional.empty() : Optional.of(now.minusSeconds(seen));
    Observation observed = new Observation(now, since, asked ? "now" : "");

    SharedAuthorities next = state(before).next(observed, PACE, () -> create(now));

    assertThat(stages(next)).isEqualTo(after);
    assertThat(next.members().stream().filter(it -> it.key().isPresent()).map(Member::stage))
        .as("only who may still sign has a key")
        .allMatch(stage -> stage == INTRODUCED || stage == SIGNING);
  }

  @Test
  void aRequestIsFulfilledOnce() {
    Observation asked = new Observation(NOW.plusSeconds(60), Optional.of(NOW), "2026-03");

    SharedAuthorities introduced = state("SIGNING").next(asked, PACE, () -> create(NOW));
    SharedAuthorities switched = introduced.next(asked, PACE, () -> create(NOW));

    assertThat(stages(introduced)).isEqualTo("INTRODUCED SIGNING");
    assertThat(stages(switched)).isEqualTo("SIGNING RETIRED");
    assertThat(switched.next(asked, PACE, () -> create(NOW))).isEqualTo(switched);
  }

  @Test
  void aWithdrawnAuthorityIsNotPublishedAndIsRememberedForAWhile() {
    SharedAuthorities state = state("SIGNING WITHDRAWN WITHDRAWN WITHDRAWN WITHDRAWN WITHDRAWN");

    SharedAuthorities next =
        state.next(new Observation(NOW, Optional.empty(), ""), PACE, () -> create(NOW));

    assertThat(next.members()).isEqualTo(state.members().subList(0, 5));
    assertThat(next.published()).containsExactly(state.members().getFirst().certificate());
    assertThat(next.withdrawn()).hasSize(4);
  }

  @Test
  void aTextHoldsAllOfIt() {
    SharedAuthorities state =
        new SharedAuthorities(state("INTRODUCED SIGNING RETIRED WITHDRAWN").members(), "a b c");

    assertThat(SharedAuthorities.of(state.toText())).isEqualTo(state);
  }

  @Test
  void aTextWithAKeyOfAnotherAuthorityIsRefused() {
    Member mixed = state("SIGNING").members().getFirst();
    Member other = new Member(mixed.certificate(), Optional.of(create(NOW).key()), SIGNING, NOW);

    assertThatThrownBy(
            () -> SharedAuthorities.of(new SharedAuthorities(List.of(other), "").toText()))
        .isInstanceOf(CertificateProblem.class)
        .hasMessageContaining("belongs to another certificate");
  }

  @ParameterizedTest
  @CsvSource({"''", "# request x", "INTRODUCED", "RETIRED", "SIGNING SIGNING"})
  void aTextThatIsNoStateIsRefused(String what) {
    boolean isState = what.matches("[A-Z ]+");
    String text = isState ? state(what).toText() : what;

    assertThatThrownBy(() -> SharedAuthorities.of(text)).isInstanceOf(CertificateProblem.class);
  }

  @Test
  void aTextThatIsCutOffAnywhereIsNeverReadAsAnotherState() {
    SharedAuthorities state = state("INTRODUCED SIGNING");
    String text = state.toText();
    for (int end = 0; end < text.length() - 1; end += 7) {
      String cut = text.substring(0, end);
      assertThatThrownBy(() -> SharedAuthorities.of(cut)).isInstanceOf(CertificateProblem.class);
    }
  }

  @Test
  void nothingItSaysOfItselfHoldsAKey() {
    assertThat(state("INTRODUCED SIGNING RETIRED WITHDRAWN").members().toString())
        .contains("introduced", "signing", "retired", "withdrawn")
        .doesNotContain("PRIVATE", "sun.security");
  }
}
