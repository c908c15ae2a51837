package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.FOLDER_IN_USE;
import static dev.sluice.certs.CertificateProblem.Reason.KEY_MISMATCH;
import static dev.sluice.certs.CertificateProblem.Reason.UNREADABLE;
import static dev.sluice.certs.CertificateProblem.Reason.UNWRITABLE;
import static dev.sluice.certs.Fixtures.NAMES;
import static dev.sluice.certs.Fixtures.NOW;
import static dev.sluice.certs.Fixtures.RANDOM;
import static dev.sluice.certs.Fixtures.read;
import static dev.sluice.certs.Fixtures.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.certs.Fixtures.ManualClock;
import dev.sluice.testkit.FullTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateFolderTest {
  private static final Lifetimes LIFETIMES =
      new Lifetimes(Duration.ofDays(1000), Duration.ofDays(90));

  /** For other threads that open the same folder; how long they take is up to the machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path temp;
  private Path dir;
  private ManualClock clock;

  @BeforeEach
  void chooseAFolderThatIsNotThereYet() {
    dir = temp.resolve("data").resolve("certs");
    clock = new ManualClock();
  }

  @Test
  void startsWithAnAuthorityAndACertificateItVouchesFor() throws GeneralSecurityException {
    var folder = open();

    var authorities = Pem.parse(folder.caBundlePem()).certificates();
    assertThat(authorities).hasSize(1);
    folder.current().leaf().verify(authorities.getFirst().getPublicKey()); // throws when not so
    assertThat(folder.caBundleFile()).isEqualTo(dir.resolve("ca.crt")).hasContent(bundle(folder));
  }

  @Test
  void isPrivateToItsOwner() throws IOException {
    open();

    assertPrivate();
  }

  private void assertPrivate() throws IOException {
    assertThat(rights(dir)).isEqualTo("rwx------");
    assertThat(files()).containsExactlyInAnyOrder(".lock", "ca.pem", "ca.crt", "serving.pem");
    for (String file : files()) {
      assertThat(rights(dir.resolve(file))).as(file).isEqualTo("rw-------");
    }
  }

  @Test
  void takesAwayTheRightsThatOthersHave() throws IOException {
    open();
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (String file : List.of("ca.pem", "ca.crt", "serving.pem")) {
      Files.setPosixFilePermissions(
          dir.resolve(file), PosixFilePermissions.fromString("rw-r--r--"));
    }

    open();

    assertPrivate();
  }

  @Test
  void publishesNoKey() {
    var folder = open();

    assertThat(folder.caBundlePem()).doesNotContain("PRIVATE");
    assertThat(read(dir.resolve("ca.crt"))).doesNotContain("PRIVATE");
  }

  @Test
  void usesWhatItHasAtTheNextStart() {
    var first = open();

    clock.advance(Duration.ofDays(30));
    var second = open();

    assertThat(second.current()).isEqualTo(first.current());
    assertThat(second.caBundlePem()).isEqualTo(first.caBundlePem());
  }

  @Test
  void writesNothingWhenNothingIsDue() throws IOException {
    var folder = open();
    var before = contents();
    var times = modificationTimes();

    assertThat(folder.refresh()).isEqualTo(new Refresh.Unchanged());
    open();

    assertThat(contents()).isEqualTo(before);
    assertThat(modificationTimes()).isEqualTo(times);
  }

  @Test
  void keepsACertificateWithMoreNamesThanAskedFor() {
    var first = open();

    var second = open(List.of("LOCALHOST"));

    assertThat(second.current()).isEqualTo(first.current());
  }

  @ParameterizedTest
  @ValueSource(strings = {"other.svc", "::1", "127.0.0.2"})
  void replacesTheCertificateWhenANameIsMissingInIt(String name) throws GeneralSecurityException {
    var first = open();

    var second = open(List.of("localhost", name));

    assertThat(second.current()).isNotEqualTo(first.current());
    assertThat(second.caBundlePem()).isEqualTo(first.caBundlePem());
    assertThat(ServedNames.in(second.current().leaf()).covers(ServedNames.of(List.of(name))))
        .isTrue();
  }

  @Test
  void replacesTheCertificateWhenAThirdOfItsTimeIsLeft() {
    var folder = open();
    var first = folder.current();

    clock.goTo(folder.nextRenewal().minusSeconds(1));
    assertThat(folder.refresh()).isEqualTo(new Refresh.Unchanged());
    clock.goTo(folder.nextRenewal());
    assertThat(folder.refresh()).isEqualTo(new Refresh.Changed());

    assertThat(folder.current()).isNotEqualTo(first);
    assertThat(folder.current().validity().until())
        .isEqualTo(clock.instant().plus(LIFETIMES.serving()));
    assertThat(folder.nextRenewal()).isAfter(clock.instant());
    assertThat(open().current()).isEqualTo(folder.current());
  }

  @Test
  void renewsWithinTheLastThird() {
    var renewal = open().nextRenewal();

    assertThat(renewal)
        .isBetween(NOW.plus(Duration.ofDays(60)).minusSeconds(300), NOW.plus(Duration.ofDays(60)));
  }

  @Test
  void takesOverWhatAnotherProcessRenewed() {
    var one = open();
    var other = open();
    clock.goTo(one.nextRenewal());

    assertThat(one.refresh()).isEqualTo(new Refresh.Changed());
    assertThat(other.refresh()).isEqualTo(new Refresh.Changed());

    assertThat(other.current()).isEqualTo(one.current());
  }

  // what a killed process, a full disk or a curious hand leaves

  @ParameterizedTest
  @MethodSource("accidentsThatMend")
  void mendsWhatFollowsFromTheAuthority(Accident accident) throws GeneralSecurityException {
    var before = open();
    accident.happensIn(dir);

    var after = open();

    assertThat(after.caBundlePem()).isEqualTo(before.caBundlePem());
    assertThat(read(after.caBundleFile())).isEqualTo(before.caBundlePem());
    after.current().leaf().verify(onlyAuthority(before).getPublicKey()); // throws when not so
    assertThat(files()).containsExactlyInAnyOrder(".lock", "ca.pem", "ca.crt", "serving.pem");
    assertThat(open().current()).isEqualTo(after.current());
  }

  static Stream<Accident> accidentsThatMend() {
    return Stream.of(
        new Accident("serving.pem is missing", dir -> Files.delete(dir.resolve("serving.pem"))),
        new Accident("serving.pem is empty", dir -> write(dir.resolve("serving.pem"), "")),
        new Accident(
            "serving.pem is cut off",
            dir -> {
              String text = read(dir.resolve("serving.pem"));
              write(dir.resolve("serving.pem"), text.substring(0, text.length() - 50));
            }),
        new Accident(
            "serving.pem has lost its key",
            dir -> {
              String text = read(dir.resolve("serving.pem"));
              write(dir.resolve("serving.pem"), text.substring(0, text.indexOf("-----BEGIN PRIV")));
            }),
        new Accident(
            "serving.pem has another key",
            dir -> {
              String text = read(dir.resolve("serving.pem"));
              write(
                  dir.resolve("serving.pem"),
                  text.substring(0, text.indexOf("-----BEGIN PRIV"))
                      + Pem.of(Fixtures.keys("EC", 256).getPrivate()));
            }),
        new Accident(
            "serving.pem is of another authority",
            dir -> write(dir.resolve("serving.pem"), Fixtures.serving().toPem())),
        new Accident("ca.crt is missing", dir -> Files.delete(dir.resolve("ca.crt"))),
        new Accident("ca.crt is rubbish", dir -> write(dir.resolve("ca.crt"), "rubbish")),
        new Accident(
            "a writer was killed",
            dir -> {
              write(dir.resolve(".ca.pem.tmp"), "half");
              write(dir.resolve(".ca.crt.tmp"), "");
              write(dir.resolve(".serving.pem.tmp"), "-----BEGIN CERT");
            }),
        new Accident(
            "only ca.pem was written",
            dir -> {
              Files.delete(dir.resolve("ca.crt"));
              Files.delete(dir.resolve("serving.pem"));
            }));
  }

  @ParameterizedTest
  @MethodSource("accidentsThatNeedAHuman")
  void neverReplacesADamagedAuthority(Accident accident) throws IOException {
    open();
    accident.happensIn(dir);
    var before = contents();

    var problem = catchThrowableOfType(CertificateProblem.class, this::open);

    assertThat(problem.reason()).isIn(UNREADABLE, KEY_MISMATCH);
    assertThat(problem)
        .hasMessageContaining(dir.resolve("ca.pem").toString())
        .hasMessageContaining("move it away to get a new authority");
    assertThat(contents()).isEqualTo(before);
  }

  static Stream<Accident> accidentsThatNeedAHuman() {
    return Stream.of(
        new Accident("ca.pem is empty", dir -> write(dir.resolve("ca.pem"), "")),
        new Accident("ca.pem is rubbish", dir -> write(dir.resolve("ca.pem"), "rubbish")),
        new Accident(
            "ca.pem is cut off",
            dir -> {
              String text = read(dir.resolve("ca.pem"));
              write(dir.resolve("ca.pem"), text.substring(0, text.length() - 50));
            }),
        new Accident(
            "ca.pem has lost its key",
            dir -> {
              String text = read(dir.resolve("ca.pem"));
              write(dir.resolve("ca.pem"), text.substring(0, text.indexOf("-----BEGIN PRIV")));
            }),
        new Accident(
            "ca.pem has another key",
            dir -> {
              String text = read(dir.resolve("ca.pem"));
              write(
                  dir.resolve("ca.pem"),
                  text.substring(0, text.indexOf("-----BEGIN PRIV"))
                      + Pem.of(Fixtures.keys("EC", 256).getPrivate()));
            }),
        new Accident(
            "ca.pem is a serving certificate",
            dir -> write(dir.resolve("ca.pem"), Fixtures.serving().toPem())),
        new Accident(
            "ca.pem is a folder",
            dir -> {
              Files.delete(dir.resolve("ca.pem"));
              Files.createDirectory(dir.resolve("ca.pem"));
            }));
  }

  @Test
  void goesOnWithWhatItHasWhenTheAuthorityIsDamagedMeanwhile() {
    var folder = open();
    var before = folder.current();
    write(dir.resolve("ca.pem"), "rubbish");

    assertThat(folder.refresh())
        .isInstanceOfSatisfying(
            Refresh.Refused.class,
            refused -> assertThat(refused.problem().reason()).isEqualTo(UNREADABLE));

    assertThat(folder.current()).isEqualTo(before);
  }

  @Test
  void makesANewAuthorityWhenTheOldOneWasMovedAway() throws IOException {
    var before = open();
    Files.delete(dir.resolve("ca.pem"));

    var after = open();

    assertThat(after.caBundlePem()).isNotEqualTo(before.caBundlePem());
    assertThat(after.current()).isNotEqualTo(before.current());
  }

  // the authority's own end

  @Test
  void publishesTheNextAuthorityLongBeforeItSigns() throws GeneralSecurityException {
    var old = onlyAuthority(open());
    clock.goTo(Validity.of(old).until().minus(LIFETIMES.serving().multipliedBy(2)));

    var folder = open();

    var published = Pem.parse(folder.caBundlePem()).certificates();
    assertThat(published).hasSize(2).contains(old);
    folder.current().leaf().verify(old.getPublicKey()); // throws when not so
  }

  @Test
  void signsWithTheNextAuthorityWhenTheOldOneWouldEndFirst() throws GeneralSecurityException {
    var old = onlyAuthority(open());
    clock.goTo(Validity.of(old).until().minus(LIFETIMES.serving().multipliedBy(2)));
    open();
    clock.goTo(Validity.of(old).until().minus(LIFETIMES.serving()));

    var folder = open();

    var published = Pem.parse(folder.caBundlePem()).certificates();
    assertThat(published).hasSize(2).contains(old);
    var next = published.getFirst();
    folder.current().leaf().verify(next.getPublicKey()); // throws when not so
    assertThat(Pem.parse(read(dir.resolve("ca.pem"))).keys()).as("the old key is gone").hasSize(1);
  }

  @Test
  void forgetsAnAuthorityThatHasEnded() {
    var old = onlyAuthority(open());
    clock.goTo(Validity.of(old).until().plusSeconds(1));

    var folder = open();

    assertThat(onlyAuthority(folder)).isNotEqualTo(old);
    assertThat(Validity.of(onlyAuthority(folder)).hasBegun(clock.instant())).isTrue();
  }

  @FullTier
  @Test
  void atAnyTimeServesWhatEverybodyTrustsWhoLookedWithinAServingLifetime()
      throws GeneralSecurityException {
    var folder = open();
    String learned = folder.caBundlePem();

    for (int day = 0; day < 4000; day += 5) {
      clock.advance(Duration.ofDays(5));
      folder.refresh();
      var leaf = folder.current();
      assertThat(leaf.validity().isOver(clock.instant())).isFalse();
      CertificatePath.requireFrom(
          leaf, Pem.parse(learned).certificates(), clock.instant(), dir); // throws when not so
      if (day % 85 == 0) {
        learned = folder.caBundlePem();
      }
    }
  }

  @Test
  void aClockThatIsBehindForAMomentCostsNoAuthority() {
    var folder = open();
    var before = folder.caBundlePem();
    clock.goTo(NOW.minus(Duration.ofDays(20_000)));

    folder.refresh();
    clock.goTo(NOW.plusSeconds(1));
    folder.refresh();

    assertThat(folder.caBundlePem()).isEqualTo(before);
    assertThat(folder.current().validity().hasBegun(clock.instant())).isTrue();
  }

  @Test
  void replacesACertificateFromTheFuture() {
    open();
    clock.advance(Duration.ofDays(70));
    var fromTheFuture = open().current();
    clock.goTo(NOW.plusSeconds(1));

    var folder = open();

    assertThat(folder.current()).isNotEqualTo(fromTheFuture);
    assertThat(folder.current().validity().hasBegun(clock.instant())).isTrue();
  }

  // the folder itself

  @Test
  void saysWhichFolderIsInUse() throws InterruptedException {
    open();
    var held = new CountDownLatch(1);
    var done = new CountDownLatch(1);
    var holder =
        Thread.startVirtualThread(
            () -> {
              try (var _ = SecretFolder.open(dir).hold(PATIENCE)) {
                held.countDown();
                done.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    held.await();

    var problem =
        catchThrowableOfType(CertificateProblem.class, () -> open(NAMES, Duration.ofMillis(20)));
    done.countDown();
    holder.join();

    assertThat(problem.reason()).isEqualTo(FOLDER_IN_USE);
    assertThat(problem).hasMessageContaining(dir.toString());
    assertThat(open().current()).isNotNull();
  }

  @Test
  void saysWhichFolderCannotBeMade() {
    write(temp.resolve("data"), "a file where a folder should be");

    var problem = catchThrowableOfType(CertificateProblem.class, this::open);

    assertThat(problem.reason()).isEqualTo(UNWRITABLE);
    assertThat(problem).hasMessageContaining(dir.toString());
  }

  @Test
  void manyThreadsThatOpenAFreshFolderAgree() {
    var opened =
        Stream.generate(() -> dir)
            .limit(8)
            .parallel()
            .map(_ -> open())
            .map(folder -> folder.current() + folder.caBundlePem())
            .collect(Collectors.toSet());

    assertThat(opened).hasSize(1);
  }

  private CertificateFolder open() {
    return open(NAMES);
  }

  private CertificateFolder open(List<String> names) {
    return open(names, PATIENCE);
  }

  private CertificateFolder open(List<String> names, Duration patience) {
    return CertificateFolder.open(dir, names, LIFETIMES, clock, RANDOM, patience);
  }

  private static X509Certificate onlyAuthority(CertificateFolder folder) {
    var authorities = Pem.parse(folder.caBundlePem()).certificates();
    assertThat(authorities).hasSize(1);
    return authorities.getFirst();
  }

  private static String bundle(CertificateSource source) {
    return source.caBundlePem();
  }

  private List<String> files() {
    try (var list = Files.list(dir)) {
      return list.map(path -> String.valueOf(path.getFileName())).sorted().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> contents() {
    return files().stream()
        .map(dir::resolve)
        .filter(Files::isRegularFile)
        .map(file -> file + "\n" + read(file))
        .toList();
  }

  private List<Object> modificationTimes() throws IOException {
    var times = new ArrayList<Object>();
    for (String file : files()) {
      times.add(Files.readAttributes(dir.resolve(file), "unix:ino,lastModifiedTime"));
    }
    return times;
  }

  private static String rights(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  record Accident(String what, Deed deed) {
    interface Deed {
      void in(Path dir) throws IOException;
    }

    void happensIn(Path dir) {
      try {
        deed.in(dir);
      } catch (IOException e) {
        throw new AssertionError(what, e);
      }
    }

    @Override
    public String toString() {
      return what;
    }
  }
}
