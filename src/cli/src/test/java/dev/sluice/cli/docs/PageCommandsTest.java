package dev.sluice.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sluice.cli.Commands;
import dev.sluice.cli.Sluice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The commands and manifests on the pages. */
class PageCommandsTest {
  private static final Pattern CALL = Pattern.compile("^(?:[A-Z_]+=\\S+ )*(?:\\./)?sluice (.+)$");
  private static final Pattern ARGUMENT = Pattern.compile("'[^']*'|\"[^\"]*\"|\\S+");

  /** Those that need neither a cluster nor a file of the reader. */
  private static final Set<String> OFFLINE =
      Set.of("convert", "validate", "test", "simulate", "explain");

  @TempDir private Path folder;

  /** A command on a page. */
  record Call(String page, List<String> arguments) {
    boolean runsOnSamples() {
      return OFFLINE.contains(arguments.getFirst())
          && arguments.stream().anyMatch(it -> it.startsWith("manifests/samples"));
    }

    @Override
    public String toString() {
      return page + ": " + String.join(" ", arguments);
    }
  }

  static Stream<Call> calls() {
    return Page.all().stream()
        .filter(Page::isForUsers)
        .flatMap(
            page ->
                page.code().stream()
                    .filter(it -> it.language().equals("sh"))
                    .flatMap(it -> calls(page, it.text())));
  }

  private static Stream<Call> calls(Page page, String script) {
    return script
        .replace("\\\n", " ")
        .lines()
        .map(it -> it.replaceFirst("(^|\\s)#.*", ""))
        .flatMap(it -> Arrays.stream(it.split("\\||&&")))
        .map(String::strip)
        .map(CALL::matcher)
        .filter(it -> it.matches())
        .map(it -> new Call(page.name(), arguments(it.group(1))));
  }

  private static List<String> arguments(String text) {
    List<String> arguments = new ArrayList<>();
    ARGUMENT
        .matcher(text.replaceFirst("\\s>.*", ""))
        .results()
        .forEach(it -> arguments.add(it.group().replaceAll("^['\"]|['\"]$", "")));
    return arguments;
  }

  static Stream<Call> callsOnSamples() {
    return calls().filter(Call::runsOnSamples);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void theProgramTakesEachCommandOfAPage(Call call) {
    assertThatCode(() -> Sluice.commandLine().parseArgs(call.arguments().toArray(String[]::new)))
        .as("%s", call)
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @MethodSource("callsOnSamples")
  void eachCommandOnSamplesSucceeds(Call call) {
    String[] arguments =
        call.arguments().stream()
            .map(it -> it.startsWith("manifests/") ? Page.ROOT.resolve(it).toString() : it)
            .map(it -> it.endsWith(".svg") ? folder.resolve(it).toString() : it)
            .toArray(String[]::new);

    Commands.Ran ran = Commands.run(arguments);

    assertThat(ran.code()).as("%s%n%s", call, ran.err()).isZero();
    assertThat(ran.out() + ran.err()).isNotBlank();
  }

  static Stream<Page> pages() {
    return Page.all().stream();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void eachManifestIsYaml(Page page) {
    page.code().stream()
        .filter(it -> it.language().equals("yaml"))
        .forEach(
            it ->
                assertThatCode(
                        () ->
                            new Yaml(new SafeConstructor(new LoaderOptions()))
                                .loadAll(it.text())
                                .forEach(document -> assertThat(document).isNotNull()))
                    .as("%s:%n%s", page, it.text())
                    .doesNotThrowAnyException());
  }
}
