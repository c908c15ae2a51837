package dev.sluice.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code .ci/site} needs of the pages, as far as it can be seen without its generator. */
class SiteTest {
  private static final Path SITE = Page.ROOT.resolve("src/site");
  private static final Page INDEX = Page.read(Page.ROOT.resolve("docs/README.md"));
  private static final Pattern KIND =
      Pattern.compile("^(?:flowchart (?:TD|LR)|stateDiagram-v2|sequenceDiagram)\n");

  /** The menu is made of it; decisions and reports have indexes of their own. */
  @Test
  void thePagesOfTheDocumentationAreInItsIndex() {
    Set<Path> linked =
        INDEX.relativeLinks().stream()
            .map(it -> INDEX.file().resolveSibling(it).normalize())
            .collect(Collectors.toSet());

    assertThat(pages())
        .filteredOn(it -> it.name().startsWith("docs/"))
        .filteredOn(it -> !it.equals(INDEX) && !it.name().matches("docs/contributing/\\w+/.*"))
        .extracting(Page::file)
        .isSubsetOf(linked);
  }

  @Test
  void allLinksOfTheIndexStandBelowAHeadingOfTheMenu() {
    List<String> beforeTheFirst =
        INDEX.lines().stream().takeWhile(it -> !it.startsWith("## ")).toList();

    assertThat(beforeTheFirst).noneMatch(it -> it.contains("]("));
    assertThat(INDEX.lines())
        .filteredOn(it -> it.startsWith("#"))
        .noneMatch(it -> it.startsWith("###"));
  }

  static Stream<Page> pages() {
    return Page.all().stream();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void eachPageBeginsWithItsTitle(Page page) {
    assertThat(page.lines().getFirst()).startsWith("# ");
    assertThat(page.proseLines().stream().filter(it -> it.matches("\\d+: # .*"))).hasSize(1);
  }

  /** The generator would take what stands between two pairs of braces for a program. */
  @ParameterizedTest
  @MethodSource("pages")
  void proseHasNoBracesThatTheGeneratorReads(Page page) {
    assertThat(page.proseLines()).noneMatch(it -> it.replaceAll("`[^`]*`", "").contains("{{"));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void eachDiagramIsOfAKindThatIsDrawn(Page page) {
    assertThat(page.code().stream().filter(it -> it.language().equals("mermaid")))
        .allSatisfy(it -> assertThat(it.text()).containsPattern(KIND));
  }

  @Test
  void theLockFileHasAHashForEachPackageAndNamesNoRegistry() throws IOException {
    JsonNode lock = new JsonMapper().readTree(SITE.resolve("package-lock.json").toFile());
    JsonNode wanted = new JsonMapper().readTree(SITE.resolve("package.json").toFile());

    assertThat(lock.path("packages").path("").path("devDependencies"))
        .isEqualTo(wanted.path("devDependencies"));
    wanted
        .path("devDependencies")
        .properties()
        .forEach(it -> assertThat(it.getValue().asText()).matches("\\d+\\.\\d+\\.\\d+"));
    lock.path("packages")
        .properties()
        .forEach(
            it -> {
              assertThat(it.getKey().isEmpty() || it.getValue().has("integrity"))
                  .as(it.getKey())
                  .isTrue();
              assertThat(it.getValue().has("resolved")).as(it.getKey()).isFalse();
            });
  }

  @ParameterizedTest
  @CsvSource({
    "the modules, docs/contributing/architecture.md, scheduler --> lifecycle",
    "a review, docs/contributing/architecture.md, ValidationResult",
    "a conversion, docs/concepts/conversion.md, ConversionReview",
    "the life of a job, docs/concepts/job-lifecycle.md, Evicted",
    "cohorts with borrowing, docs/concepts/queues-and-quota.md, lendingLimit",
    "phases of certificates, docs/tasks/certificates.md, Published",
    "several clusters, docs/tasks/multicluster.md, worker"
  })
  void aPictureIsWhereAReaderLooksForIt(String subject, String page, String label)
      throws IOException {
    assertThat(Page.read(Page.ROOT.resolve(page)).code())
        .as(subject)
        .anyMatch(it -> it.language().equals("mermaid") && it.text().contains(label));
  }
}
