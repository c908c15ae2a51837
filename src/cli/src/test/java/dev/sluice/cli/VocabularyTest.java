package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiVersion;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.vocabulary.Reasons;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names of the API are spelled in {@code api} only; all others use its constants. */
class VocabularyTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

  /** Test kit and benchmarks write objects as users do; they are no part of the product. */
  private static final List<String> FREE = List.of("src/api/", "src/testkit/", "src/bench/");

  /** Words that other APIs have, too: phases of Pods, conditions of jobs, events and a kind. */
  private static final Set<String> SHARED =
      Set.of("Succeeded", "Failed", "Suspended", "Started", "Stopped", "Ready", "AdmissionCheck");

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(it -> it.toString().endsWith(".java"))
          .filter(it -> !it.toString().contains("/target/"))
          .filter(it -> it.toString().contains("/src/main/java/"))
          .filter(it -> FREE.stream().noneMatch(relative(it)::startsWith))
          .toList();
    }
  }

  private static String relative(Path source) {
    return ROOT.relativize(source).toString();
  }

  private static String module(Path source) {
    String path = relative(source);
    return path.substring(0, path.indexOf("/src/main/"));
  }

  private static Set<String> spelling(Predicate<String> code) throws IOException {
    return sources().stream()
        .filter(it -> code.test(withoutComments(it)))
        .map(it -> it.getFileName().toString())
        .collect(Collectors.toSet());
  }

  private static String withoutComments(Path source) {
    try (Stream<String> lines = Files.lines(source)) {
      return lines
          .filter(line -> !line.strip().startsWith("*") && !line.strip().startsWith("/*"))
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theSourcesOfTheModulesAreFound() throws IOException {
    assertThat(sources().stream().map(VocabularyTest::module))
        .contains("src/quota", "src/scheduler", "src/cluster", "webhook", "conversion");
  }

  @Test
  void labelsAnnotationsAndFinalizersAreSpelledInTheApiOnly() throws IOException {
    Predicate<String> name =
        Pattern.compile("\"[a-z.]*" + Pattern.quote(ApiVersion.GROUP + "/")).asPredicate();
    assertThat(spelling(name)).isEmpty();
  }

  @Test
  void conditionTypesAreSpelledInTheApiOnly() throws IOException {
    assertThat(spelling(oneOf(values(ConditionTypes.class)))).isEmpty();
  }

  @Test
  void reasonsAreSpelledInTheApiOnly() throws IOException {
    Stream<String> pending = Arrays.stream(PendingReason.values()).map(PendingReason::text);
    Stream<String> reasons = Stream.concat(values(Reasons.class), pending);
    assertThat(spelling(oneOf(reasons.filter(it -> !SHARED.contains(it))))).isEmpty();
  }

  @Test
  void reasonsOfEventsAreSpelledInTheApiOnly() throws IOException {
    Set<String> free = Set.of("Deleted", "MultiKueue");
    Stream<String> reasons =
        values(EventReasons.class).filter(it -> !SHARED.contains(it) && !free.contains(it));
    assertThat(spelling(oneOf(reasons))).isEmpty();
  }

  private static Predicate<String> oneOf(Stream<String> words) {
    String any = words.map(Pattern::quote).collect(Collectors.joining("|"));
    return Pattern.compile("\"(" + any + ")\"").asPredicate();
  }

  private static Stream<String> values(Class<?> constants) {
    return Arrays.stream(constants.getFields()).map(VocabularyTest::value);
  }

  private static String value(Field constant) {
    try {
      return (String) constant.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
