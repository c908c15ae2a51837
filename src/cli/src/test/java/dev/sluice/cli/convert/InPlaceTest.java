package dev.sluice.cli.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.cli.Commands;
import dev.sluice.server.manifest.ManifestPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of files and folders: all of a file or nothing, and only what was asked for. */
class InPlaceTest {
  private static final String OLD =
      """
      # mine
      apiVersion: kueue.x-k8s.io/v1alpha1
      kind: Cohort
      metadata: {name: a}
      spec:
        parent: all # beside
      """;
  private static final String NEW =
      OLD.replace("v1alpha1", "v1beta2").replace("parent", "parentName");
  private static final String WRONG =
      """
      apiVersion: kueue.x-k8s.io/v1alpha1
      kind: Unheard
      metadata: {name: b}
      """;

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void writeFile() throws IOException {
    file = write("a.yaml", OLD);
  }

  private Path write(String name, String text) throws IOException {
    Path path = folder.resolve(name);
    Files.createDirectories(path.getParent());
    return Files.writeString(path, text);
  }

  private static Commands.Ran inPlace(Path path, String... more) {
    return run(
        path, Stream.concat(Stream.of("--in-place"), Stream.of(more)).toArray(String[]::new));
  }

  private static Commands.Ran run(Path path, String... more) {
    Stream<String> args = Stream.of("convert", "-f", path.toString(), "--to", "v1beta2");
    return Commands.run(Stream.concat(args, Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void replacesAFileWithItsPermissionsAndLeavesNothingBeside() throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));

    var ran = inPlace(file);

    assertThat(ran.code()).isZero();
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).isEqualTo("1 document converted in 1 file, 0 unchanged, 0 errors\n");
    assertThat(file).hasContent(NEW);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rwxr-x---");
    assertThat(names()).containsExactly("a.yaml");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void doesNotTouchAFileThatNeedsNoChange() throws IOException {
    Files.writeString(file, NEW);
    Object inode = Files.getAttribute(file, "unix:ino");

    var ran = inPlace(file);

    assertThat(ran.err()).isEqualTo("0 documents converted in 0 files, 1 unchanged, 0 errors\n");
    assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(inode);
  }

  @Test
  void replacesTheFileBehindALinkAndNotTheLink() throws IOException {
    Path target = write("elsewhere/real.txt", OLD);
    Path link = Files.createSymbolicLink(folder.resolve("link.yaml"), target);

    inPlace(link);

    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(target).hasContent(NEW);
  }

  @Test
  void leavesAFileWithOneBadDocumentAsItIsAndConvertsTheOthers() throws IOException {
    Path bad = write("b.yaml", OLD + "---\n" + WRONG);
    Path broken = write("c.yaml", "a: [\n");

    var ran = inPlace(folder);

    assertThat(ran.code()).isEqualTo(1);
    assertThat(file).hasContent(NEW);
    assertThat(bad).hasContent(OLD + "---\n" + WRONG);
    assertThat(broken).hasContent("a: [\n");
    assertThat(ran.err())
        .contains(bad + ":8: Unheard \"b\"", broken + ":2: no YAML")
        .endsWith("1 document converted in 1 file, 1 unchanged, 2 errors\n");
  }

  @Test
  void leavesEitherTheOldOrTheNewWhereTheFolderIsReadOnly() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));

    var ran = inPlace(file);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));

    assertThat(file).hasContent(ran.code() == 0 ? NEW : OLD); // permissions do not stop root
    assertThat(names()).containsExactly("a.yaml");
  }

  @Test
  void replacesNothingThatSomebodyElseHasChangedMeanwhile() throws IOException {
    assertThatThrownBy(
            () -> FileReplacement.replace(file, "other".getBytes(UTF_8), NEW.getBytes(UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("changed by somebody else");

    assertThat(file).hasContent(OLD);
    assertThat(names()).containsExactly("a.yaml");
  }

  @Test
  void showsADiffInADryRunAndChangesNothing() throws IOException {
    Files.writeString(file, "# far above\n\n\n\n\n" + OLD + "---\n" + NEW);
    String before = Files.readString(file);

    var alone = run(file, "--dry-run");
    var both = inPlace(file, "--dry-run");

    assertThat(file).hasContent(before);
    assertThat(alone.code()).isZero();
    assertThat(both).isEqualTo(alone);
    assertThat(alone.err())
        .isEqualTo("1 document would be converted in 1 file, 1 unchanged, 0 errors\n");
    assertThat(alone.out()).contains("-  parent: all # beside\n+  parentName: all # beside\n");
    assertThat(alone.out()).startsWith("--- a" + file + "\n+++ b" + file + "\n");
    inPlace(file);
    assertThat(file).hasContent(UnifiedDiffTest.patched(before, alone.out()));
  }

  @Test
  void refusesToReplaceStandardInputAndToReplaceByAnotherFormat() {
    assertThat(Commands.run("convert", "-f", "-", "--to", "v1beta2", "--in-place").code())
        .isEqualTo(2);
    assertThat(inPlace(file, "-o", "json").code()).isEqualTo(2);
    assertThat(file).hasContent(OLD);
  }

  @Test
  void takesTheManifestsOfAFolderInTheOrderOfTheirNamesAndOnlyIfAskedThoseBelow()
      throws IOException {
    write("sub/b.json", "{}");
    write("sub/deeper/a.yml", "");
    write("b.yaml", "");
    write("Z.yaml", "");
    write("values.txt", "");
    write(".hidden.yaml", "");
    write(".git/c.yaml", "");

    assertThat(found(false)).containsExactly("Z.yaml", "a.yaml", "b.yaml");
    assertThat(found(true))
        .containsExactly("Z.yaml", "a.yaml", "b.yaml", "sub/b.json", "sub/deeper/a.yml");
  }

  private List<String> found(boolean recursive) {
    List<String> problems = new java.util.ArrayList<>();
    List<String> found = ManifestPaths.find(List.of(folder.toString()), recursive, problems);
    assertThat(problems).isEmpty();
    return found.stream().map(path -> folder.relativize(Path.of(path)).toString()).toList();
  }

  @Test
  void goesRoundInNoCircleAndTakesNoFileTwiceWhereLinksLeadBack() throws IOException {
    Files.createDirectories(folder.resolve("sub"));
    Files.createSymbolicLink(folder.resolve("sub/up"), folder);
    Files.createSymbolicLink(folder.resolve("sub/self"), folder.resolve("sub"));
    Files.createSymbolicLink(folder.resolve("sub/again.yaml"), file);

    assertThat(found(true)).containsExactly("a.yaml");
  }

  @Test
  void namesALinkThatLeadsNowhere() throws IOException {
    Files.createSymbolicLink(folder.resolve("gone.yaml"), folder.resolve("nowhere"));

    var ran = inPlace(folder);

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("gone.yaml: no such file");
    assertThat(file).hasContent(NEW);
  }

  @Test
  void printsFilesOfAllKindsAsOneStreamThatCanBeReadAgain() throws IOException {
    write("b.yaml", "# head\n---\n" + OLD.stripTrailing());
    write("c.yaml", "\ufeff" + OLD);
    write("d.yaml", "%YAML 1.1\n---\n" + OLD);

    var once = run(folder);
    var again = Commands.runWith(once.out(), "convert", "-f", "-", "--to", "v1beta2");

    assertThat(once.err()).isEmpty();
    assertThat(once.out())
        .isEqualTo(NEW + "# head\n---\n" + NEW + "---\n" + NEW + "...\n%YAML 1.1\n---\n" + NEW);
    assertThat(again.out()).isEqualTo(once.out());
  }

  @Test
  void refusesBytesThatAreNoText() throws IOException {
    byte[] latin = (OLD + "# \u00fc\n").getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    Files.write(file, latin);

    var ran = inPlace(file);

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains(file + ": no UTF-8");
    assertThat(file).hasBinaryContent(latin);
  }

  @Test
  void namesTheLineOfAnItemThatCannotBeConvertedInJsonToo() {
    String json =
        """
        {"apiVersion": "v1", "kind": "List", "items": [
          {"apiVersion": "v1", "kind": "Secret"},
          {"apiVersion": "kueue.x-k8s.io/v1beta9", "kind": "Cohort", "metadata": {"name": "x"}}
        ]}
        """;

    var ran = Commands.runWith(json, "convert", "-f", "-", "--to", "v1beta2");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).startsWith("sluice: stdin:3: Cohort \"x\"");
  }
}
