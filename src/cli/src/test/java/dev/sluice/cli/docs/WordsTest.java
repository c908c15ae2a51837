package dev.sluice.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a stranger can understand at first read; what this cannot judge, it leaves. */
class WordsTest {
  private static final int WIDTH = 120;
  private static final int WORDS = 40;
  private static final double AVERAGE = 20;

  /** Phrases that a reader has to decode, and what belongs under docs/contributing. */
  private static final List<String> UNCLEAR =
      List.of(
          "the peer",
          "what nobody",
          "nobody tells",
          "how manieth",
          "who waits",
          "whoever",
          "give way",
          "gives way",
          "gave way",
          "told anew",
          "in production all the time",
          "a mistake that nothing mends",
          "look after",
          "looks after");

  private static final Pattern DATE = Pattern.compile("\\b20\\d\\d-[01]\\d-[0-3]\\d\\b(?!T)");

  /** Names that are no English words, so that any other case of them is a slip. */
  private static final List<String> NAMES =
      List.of(
          "Kueue",
          "MultiKueue",
          "Kubernetes",
          "ClusterQueue",
          "LocalQueue",
          "ResourceFlavor",
          "AdmissionCheck",
          "WorkloadPriorityClass",
          "ProvisioningRequest",
          "JobSet",
          "LeaderWorkerSet",
          "StatefulSet",
          "RayCluster",
          "RayJob",
          "RayService",
          "TrainJob",
          "AppWrapper",
          "SparkApplication");

  static Stream<Page> pages() {
    return Page.all().stream();
  }

  static Stream<Page> firstPages() {
    return pages()
        .filter(it -> it.name().equals("README.md") || it.name().contains("/getting-started/"));
  }

  static Stream<Page> pagesForUsers() {
    return pages().filter(Page::isForUsers);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void sentencesAreShort(Page page) {
    List<String> sentences = page.sentences();

    assertThat(sentences)
        .as("sentences of more than %d words", WORDS)
        .noneMatch(it -> Page.words(it) > WORDS);
    assertThat(sentences.stream().mapToLong(Page::words).average().orElse(0))
        .as("words in a sentence on average")
        .isLessThanOrEqualTo(AVERAGE);
  }

  /** By the formula of Flesch and Kincaid, with syllables counted as groups of vowels. */
  @ParameterizedTest
  @MethodSource("firstPages")
  void theFirstPagesAreEasyToRead(Page page) {
    List<String> words =
        page.sentences().stream()
            .flatMap(it -> Pattern.compile("[A-Za-z][\\w'-]*").matcher(it).results())
            .map(MatchResult::group)
            .toList();
    double perSentence = (double) words.size() / page.sentences().size();
    double syllables = words.stream().mapToLong(WordsTest::syllables).average().orElse(0);

    assertThat(perSentence).as("words in a sentence").isLessThanOrEqualTo(18);
    assertThat(0.39 * perSentence + 11.8 * syllables - 15.59).as("grade").isLessThanOrEqualTo(9);
  }

  private static long syllables(String word) {
    String text = word.toLowerCase(Locale.ROOT).replaceFirst("(?<=[^aeiouyl])e$", "");
    return Math.max(1, Pattern.compile("[aeiouy]+").matcher(text).results().count());
  }

  @ParameterizedTest
  @MethodSource("pages")
  void proseIsWrapped(Page page) {
    assertThat(page.proseLines())
        .as("lines of more than %d columns", WIDTH)
        .noneMatch(it -> it.length() - it.indexOf(": ") - 2 > WIDTH);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void phrasesAreClear(Page page) {
    assertThat(page.proseLines())
        .as("lines with an unclear phrase")
        .noneMatch(it -> UNCLEAR.stream().anyMatch(it.toLowerCase(Locale.ROOT)::contains));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void namesAreSpelledAsTheApiSpellsThem(Page page) {
    for (String name : NAMES) {
      Pattern spelling = Pattern.compile("\\b" + name + "(?:s|es)?\\b", Pattern.CASE_INSENSITIVE);
      assertThat(page.sentences())
          .allSatisfy(
              sentence ->
                  assertThat(spelling.matcher(sentence).results().map(MatchResult::group))
                      .as(sentence)
                      .allMatch(it -> it.startsWith(name)));
    }
  }

  @ParameterizedTest
  @MethodSource("pagesForUsers")
  void pagesForUsersHaveNeitherMavenNorDatedMeasurements(Page page) {
    assertThat(page.lines())
        .filteredOn(it -> it.contains("mvn -") || it.contains("-Dsluice."))
        .as("lines of Maven")
        .isEmpty();
    assertThat(page.proseLines()).filteredOn(it -> DATE.matcher(it).find()).as("dates").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void linksLeadSomewhere(Page page) {
    for (String link : page.relativeLinks()) {
      String path = link.replaceFirst("#.*", "");
      Path target = path.isEmpty() ? page.file() : page.file().resolveSibling(path).normalize();
      assertThat(target).as("%s: %s", page, link).exists();
      if (link.contains("#") && target.toString().endsWith(".md")) {
        assertThat(Page.read(target).anchors())
            .as("%s: %s", page, link)
            .contains(link.substring(link.indexOf('#') + 1));
      }
    }
  }

  @Test
  void eachPageIsLinkedFromAnotherOne() {
    Set<Path> linked =
        pages()
            .flatMap(
                page ->
                    page.relativeLinks().stream()
                        .map(it -> it.replaceFirst("#.*", ""))
                        .filter(it -> !it.isEmpty())
                        .map(it -> page.file().resolveSibling(it).normalize())
                        .filter(it -> !it.equals(page.file())))
            .collect(Collectors.toSet());

    assertThat(pages().filter(it -> it.name().startsWith("docs/")).map(Page::file))
        .isSubsetOf(linked);
  }

  @Test
  void pagesThatTheCodeNamesExist() throws Exception {
    Pattern named = Pattern.compile("docs/[\\w/-]+\\.(?:md|txt)");
    try (Stream<Path> files = Files.walk(Page.ROOT)) {
      List<Path> sources =
          files
              .filter(it -> it.toString().endsWith(".java"))
              .filter(it -> !it.toString().contains("/target/"))
              .toList();
      for (Path source : sources) {
        named
            .matcher(Files.readString(source))
            .results()
            .forEach(
                it ->
                    assertThat(Page.ROOT.resolve(it.group()))
                        .as("named in %s", source.getFileName())
                        .exists());
      }
    }
  }
}
