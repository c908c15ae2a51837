package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.EXPIRED;
import static dev.sluice.certs.CertificateProblem.Reason.KEY_MISMATCH;
import static dev.sluice.certs.CertificateProblem.Reason.NOT_YET_VALID;
import static dev.sluice.certs.CertificateProblem.Reason.UNREADABLE;
import static dev.sluice.certs.CertificateProblem.Reason.UNTRUSTED;
import static dev.sluice.certs.Fixtures.AT_NOW;
import static dev.sluice.certs.Fixtures.NAMES;
import static dev.sluice.certs.Fixtures.NOW;
import static dev.sluice.certs.Fixtures.RANDOM;
import static dev.sluice.certs.Fixtures.YEAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.certs.Fixtures.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MountedCertificateTest {
  private final CertificateAuthority authority = Fixtures.authority();
  private final ServingCertificate first = authority.issue(NAMES, YEAR, AT_NOW, RANDOM);
  private final ServingCertificate second = authority.issue(NAMES, YEAR, AT_NOW, RANDOM);
  private final ManualClock clock = new ManualClock();

  @TempDir private Path dir;

  @Test
  void servesWhatIsMounted() {
    mount(dir, first, Pem.of(authority.certificate()));

    var mounted = MountedCertificate.load(dir, clock);

    assertThat(mounted.current()).isEqualTo(first);
    assertThat(mounted.caBundlePem()).isEqualTo(Pem.of(authority.certificate()));
    assertThat(mounted.refresh()).isEqualTo(new Refresh.Unchanged());
  }

  @Test
  void takesTheNewPairWhenKubeletTurnsTheLink() throws IOException {
    var kubelet = new Kubelet(dir);
    kubelet.publish("one", first, Pem.of(authority.certificate()));
    var mounted = MountedCertificate.load(dir, clock);

    kubelet.publish("two", second, Pem.of(authority.certificate()));

    assertThat(mounted.refresh()).isEqualTo(new Refresh.Changed());
    assertThat(mounted.current()).isEqualTo(second);
    assertThat(mounted.refresh()).isEqualTo(new Refresh.Unchanged());
  }

  @Test
  void takesANewAuthorityForTheSameCertificate() {
    mount(dir, first, Pem.of(authority.certificate()));
    var mounted = MountedCertificate.load(dir, clock);
    String both = Pem.of(Fixtures.authority().certificate()) + Pem.of(authority.certificate());

    mount(dir, first, both);

    assertThat(mounted.refresh()).isEqualTo(new Refresh.Changed());
    assertThat(mounted.caBundlePem()).isEqualTo(both);
    assertThat(mounted.current()).isEqualTo(first);
  }

  @Test
  void aSuccessorOfAnotherAuthorityWaitsUntilClientsHadTimeToLoadItsAuthority() {
    CertificateAuthority other = Fixtures.authority();
    ServingCertificate successor = other.issue(NAMES, YEAR, AT_NOW, RANDOM);
    mount(dir, first, Pem.of(authority.certificate()));
    var mounted = MountedCertificate.published(dir, clock, Duration.ofSeconds(15));

    mount(dir, successor, Pem.of(other.certificate()));
    assertThat(mounted.refresh()).isEqualTo(new Refresh.Changed());
    assertThat(mounted.current()).isEqualTo(first);
    assertThat(Pem.parse(mounted.caBundlePem()).certificates())
        .containsExactlyInAnyOrder(authority.certificate(), other.certificate());
    assertThat(mounted.awaitedPem()).isEqualTo(Pem.of(other.certificate()));
    assertThat(mounted.status().phase()).isEqualTo(CertificateStatus.Phase.PUBLISHING);

    mounted.seen(mounted.caBundlePem(), true);
    clock.advance(Duration.ofSeconds(14));
    mounted.refresh();
    assertThat(mounted.current()).as("too early").isEqualTo(first);
    assertThat(mounted.status().phase()).isEqualTo(CertificateStatus.Phase.SETTLING);

    clock.advance(Duration.ofSeconds(1));
    mounted.refresh();
    assertThat(mounted.current()).isEqualTo(successor);
    assertThat(mounted.caBundlePem()).isEqualTo(Pem.of(other.certificate()));
    assertThat(mounted.awaitedPem()).isEqualTo(mounted.caBundlePem());
    assertThat(mounted.status().phase()).isEqualTo(CertificateStatus.Phase.EXTERNAL);
  }

  @Test
  void aSuccessorOfTheSameAuthorityOrOfOneThatIsOverDoesNotWait() {
    CertificateAuthority other = Fixtures.authority();
    ServingCertificate successor = other.issue(NAMES, YEAR.multipliedBy(3), AT_NOW, RANDOM);
    mount(dir, first, Pem.of(authority.certificate()));
    var mounted = MountedCertificate.published(dir, clock, Duration.ofSeconds(15));

    mount(dir, second, Pem.of(authority.certificate()));
    mounted.refresh();
    assertThat(mounted.current()).isEqualTo(second);

    clock.advance(YEAR.plusDays(1));
    mount(dir, successor, Pem.of(other.certificate()));
    mounted.refresh();
    assertThat(mounted.current()).isEqualTo(successor);
  }

  @Test
  void usesASuccessorAtOnceIfNoAuthoritiesArePublished() {
    CertificateAuthority other = Fixtures.authority();
    ServingCertificate successor = other.issue(NAMES, YEAR, AT_NOW, RANDOM);
    mount(dir, first, Pem.of(authority.certificate()));
    var mounted = MountedCertificate.load(dir, clock);

    mount(dir, successor, Pem.of(other.certificate()));
    mounted.refresh();

    assertThat(mounted.current()).isEqualTo(successor);
  }

  @Test
  void knowsNoAuthorityWhenNoneIsMounted() {
    mount(dir, first, "");

    assertThat(MountedCertificate.load(dir, clock).caBundlePem()).isEmpty();
  }

  @Test
  void publishesACertificateThatVouchesForItself() {
    var own = Fixtures.selfSigned(Fixtures.keys("RSA", 2048), "SHA256withRSA");
    mount(dir, own, "");
    assertThat(MountedCertificate.load(dir, clock).caBundlePem()).isEqualTo(Pem.of(own.leaf()));

    mount(dir, own, Pem.of(own.leaf()));
    assertThat(MountedCertificate.load(dir, clock).caBundlePem()).isEqualTo(Pem.of(own.leaf()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badSuccessors")
  void keepsTheOldPairWhenTheNewOneIsNoGood(
      String what, Change change, CertificateProblem.Reason reason, String named) {
    mount(dir, first, Pem.of(authority.certificate()));
    var mounted = MountedCertificate.load(dir, clock);

    change.apply(this);

    assertThat(mounted.refresh())
        .as(what)
        .isInstanceOfSatisfying(
            Refresh.Refused.class,
            refused -> {
              assertThat(refused.problem().reason()).isEqualTo(reason);
              assertThat(refused.problem()).hasMessageContaining(dir.resolve(named).toString());
              assertThat(refused.problem().getMessage()).doesNotContain("PRIVATE KEY");
            });
    assertThat(mounted.current()).isEqualTo(first);
    mount(dir, second, Pem.of(authority.certificate()));
    assertThat(mounted.refresh()).isEqualTo(new Refresh.Changed());
    assertThat(mounted.current()).isEqualTo(second);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badSuccessors")
  void refusesToStartWithOneThatIsNoGood(
      String what, Change change, CertificateProblem.Reason reason, String named) {
    mount(dir, first, Pem.of(authority.certificate()));
    change.apply(this);

    var problem =
        catchThrowableOfType(CertificateProblem.class, () -> MountedCertificate.load(dir, clock));

    assertThat(problem.reason()).as(what).isEqualTo(reason);
    assertThat(problem).hasMessageContaining(dir.resolve(named).toString());
  }

  static Stream<Arguments> badSuccessors() {
    return Stream.of(
        bad(
            "only the certificate is new",
            KEY_MISMATCH,
            "tls.crt",
            test -> test.put("tls.crt", Pem.ofCertificates(test.second.chain()))),
        bad(
            "only the key is new",
            KEY_MISMATCH,
            "tls.crt",
            test -> test.put("tls.key", Pem.of(test.second.key()))),
        bad(
            "a key of another kind",
            KEY_MISMATCH,
            "tls.crt",
            test -> test.put("tls.key", Pem.of(Fixtures.keys("RSA", 2048).getPrivate()))),
        bad(
            "the certificate is half-written",
            UNREADABLE,
            "tls.crt",
            test -> test.put("tls.crt", Pem.ofCertificates(test.second.chain()).substring(0, 300))),
        bad(
            "the key is half-written",
            UNREADABLE,
            "tls.key",
            test -> test.put("tls.key", Pem.of(test.first.key()).substring(0, 100))),
        bad("the key is empty", UNREADABLE, "tls.crt", test -> test.put("tls.key", "")),
        bad("the certificate is gone", UNREADABLE, "tls.crt", test -> test.remove("tls.crt")),
        bad("the key is gone", UNREADABLE, "tls.key", test -> test.remove("tls.key")),
        bad(
            "the authority is half-written",
            UNREADABLE,
            "ca.crt",
            test -> test.put("ca.crt", "-----BEGIN CERTIFICATE-----\nMII")),
        bad("it has ended", EXPIRED, "tls.crt", test -> test.mountIssuedAt(YEAR.multipliedBy(-2))),
        bad("it has not begun", NOT_YET_VALID, "tls.crt", test -> test.mountIssuedAt(YEAR)),
        bad(
            "it is of another authority",
            UNTRUSTED,
            "ca.crt",
            test -> mount(test.dir, Fixtures.serving(), Pem.of(test.authority.certificate()))));
  }

  private static Arguments bad(
      String what, CertificateProblem.Reason reason, String named, Change change) {
    return Arguments.of(what, change, reason, named);
  }

  /** As cert-manager issues it: valid from now on, by a right clock. */
  @Test
  void aServerWhoseClockIsAnHourBehindServesACertificateThatWasJustIssued() {
    clock.goTo(first.validity().from().minus(Duration.ofHours(1)));
    mount(dir, first, Pem.of(authority.certificate()));

    var mounted = MountedCertificate.load(dir, clock);

    assertThat(mounted.current()).isEqualTo(first);
    assertThat(mounted.refresh()).isEqualTo(new Refresh.Unchanged());
  }

  @Test
  void aServerWhoseClockIsAnHourBehindKeepsWhatIsGoodUntilItsSuccessorHasBegun() {
    mount(dir, first, Pem.of(authority.certificate()));
    var mounted = MountedCertificate.load(dir, clock);
    mountIssuedAt(Validity.CLOCK_SKEW.plusHours(1)); // begins in an hour

    assertThat(mounted.refresh())
        .isInstanceOfSatisfying(
            Refresh.Refused.class,
            refused -> assertThat(refused.problem().reason()).isEqualTo(NOT_YET_VALID));
    assertThat(mounted.current()).isEqualTo(first);

    clock.advance(Duration.ofHours(1));
    assertThat(mounted.refresh()).isEqualTo(new Refresh.Changed());
    assertThat(mounted.current()).isNotEqualTo(first);
  }

  @Test
  void saysSoWhenTheMountedCertificateHasEnded() {
    mount(dir, first, Pem.of(authority.certificate()));
    var mounted = MountedCertificate.load(dir, clock);

    clock.advance(YEAR.plusDays(1));

    assertThat(mounted.refresh())
        .isInstanceOfSatisfying(
            Refresh.Refused.class,
            refused -> assertThat(refused.problem().reason()).isEqualTo(EXPIRED));
  }

  interface Change {
    void apply(MountedCertificateTest test);
  }

  private void put(String file, String text) {
    Fixtures.write(dir.resolve(file), text);
  }

  private void remove(String file) {
    try {
      Files.delete(dir.resolve(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void mountIssuedAt(Duration fromNow) {
    var then = InstantSource.fixed(NOW.plus(fromNow));
    mount(dir, authority.issue(NAMES, YEAR, then, RANDOM), Pem.of(authority.certificate()));
  }

  private static void mount(Path dir, ServingCertificate serving, String authorities) {
    Fixtures.write(dir.resolve("tls.crt"), Pem.ofCertificates(serving.chain()));
    Fixtures.write(dir.resolve("tls.key"), Pem.of(serving.key()));
    Fixtures.write(dir.resolve("ca.crt"), authorities);
  }

  /** Lays out a mounted Secret as kubelet does: files are links through one link that is turned. */
  private record Kubelet(Path dir) {
    void publish(String generation, ServingCertificate serving, String authorities)
        throws IOException {
      var folder = Files.createDirectory(dir.resolve(".." + generation));
      mount(folder, serving, authorities);
      var turned = Files.createSymbolicLink(dir.resolve("..data_tmp"), folder.getFileName());
      Files.move(turned, dir.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
      for (String file : new String[] {"tls.crt", "tls.key", "ca.crt"}) {
        if (!Files.isSymbolicLink(dir.resolve(file))) {
          Files.createSymbolicLink(dir.resolve(file), Path.of("..data", file));
        }
      }
    }
  }
}
