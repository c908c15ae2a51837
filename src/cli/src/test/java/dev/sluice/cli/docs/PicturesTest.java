package dev.sluice.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pictures on the pages are what the program prints today. */
class PicturesTest {
  private static final Path IMAGES = Page.ROOT.resolve("docs/images");
  private static final String SIMULATE =
      "simulate -f manifests/samples/simulation --now 2026-01-31T12:00:00Z --svg ";

  @TempDir private Path folder;

  /** A picture of a terminal. */
  record Shown(String file, String command) {}

  static Stream<Shown> terminals() {
    return Stream.of(
        new Shown("explain.svg", "explain team/segmentation -f manifests/samples/waiting"));
  }

  @ParameterizedTest
  @MethodSource("terminals")
  void aTerminalShowsWhatTheCommandPrints(Shown shown) throws IOException {
    Commands.Ran ran = run(shown.command());

    compare(shown.file(), TerminalPicture.of("./sluice " + shown.command(), ran.out()));
  }

  @Test
  void theChartOfUsageIsThatOfTheSample() throws IOException {
    Path chart = folder.resolve("usage.svg");

    run(SIMULATE + chart);

    compare("usage.svg", Files.readString(chart));
  }

  @Test
  void everyPictureIsOnAPage() throws IOException {
    try (Stream<Path> images = Files.list(IMAGES)) {
      assertThat(images.map(it -> it.getFileName().toString()))
          .allSatisfy(
              name ->
                  assertThat(Page.all())
                      .as(name)
                      .anyMatch(
                          page ->
                              page.relativeLinks().stream()
                                  .anyMatch(it -> it.endsWith("images/" + name))));
    }
  }

  private static Commands.Ran run(String command) {
    String[] arguments =
        Arrays.stream(command.split(" ", -1))
            .map(it -> it.startsWith("manifests/") ? Page.ROOT.resolve(it).toString() : it)
            .toArray(String[]::new);
    Commands.Ran ran = Commands.run(arguments);
    assertThat(ran.code()).as(ran.err()).isZero();
    return ran;
  }

  private static void compare(String name, String generated) throws IOException {
    Path file = IMAGES.resolve(name);
    if (Boolean.getBoolean("sluice.docs.write")) {
      Files.createDirectories(IMAGES);
      Files.writeString(file, generated);
    }
    assertThat(file)
        .as("%s; CONTRIBUTING.md has the command that writes it", name)
        .content()
        .isEqualTo(generated);
  }
}
