package dev.sluice.cli.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A page of the documentation, taken apart into prose, code, links and headings. */
record Page(String name, Path file, List<String> lines) {
  static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

  private static final Pattern FENCE = Pattern.compile("^\\s*```(\\w*)\\s*$");
  private static final Pattern ITEM = Pattern.compile("^\\s*(?:[-*]|\\d+\\.) +");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?])[\"')*]*\\s+");
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][\\w'./,-]*");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");

  /** A block of code: the language that its fence names, and its text. */
  record Code(String language, String text) {}

  /** All pages, by their path below the root of the repository. */
  static List<Page> all() {
    try (Stream<Path> below = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(
              Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md").map(ROOT::resolve), below)
          .filter(it -> it.toString().endsWith(".md"))
          .sorted()
          .map(Page::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Page read(Path file) {
    try {
      return new Page(ROOT.relativize(file).toString(), file, Files.readAllLines(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether users read it; the others are for those who change Sluice. */
  boolean isForUsers() {
    return !name.startsWith("docs/contributing/") && !name.equals("CONTRIBUTING.md");
  }

  /** Lines outside of code and tables, with their numbers before them. */
  List<String> proseLines() {
    List<String> prose = new ArrayList<>();
    boolean code = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (FENCE.matcher(line).matches()) {
        code = !code;
      } else if (!code && !line.stripLeading().startsWith("|")) {
        prose.add("%d: %s".formatted(i + 1, line));
      }
    }
    return prose;
  }

  /** Its sentences, code replaced by one word; neither tables nor headings are sentences. */
  List<String> sentences() {
    return paragraphs().stream().flatMap(Page::sentences).toList();
  }

  private static Stream<String> sentences(String paragraph) {
    String plain = CODE.matcher(paragraph).replaceAll("code");
    plain = LINK.matcher(plain).replaceAll("]").replaceAll("[*_\\[\\]]", "");
    return Arrays.stream(SENTENCE_END.split(plain)).filter(it -> words(it) > 0);
  }

  static long words(String sentence) {
    return WORD.matcher(sentence).results().count();
  }

  private List<String> paragraphs() {
    List<String> paragraphs = new ArrayList<>();
    var paragraph = new StringBuilder();
    boolean code = false;
    for (String line : lines) {
      boolean fence = FENCE.matcher(line).matches();
      String text = line.strip();
      boolean item = ITEM.matcher(line).find();
      if (fence || text.isEmpty() || item || "|#<".indexOf(text.charAt(0)) >= 0) {
        paragraphs.add(paragraph.toString());
        paragraph.setLength(0);
      }
      code ^= fence;
      if (!code && !fence && !text.isEmpty() && "|#<".indexOf(text.charAt(0)) < 0) {
        paragraph.append(item ? ITEM.matcher(line).replaceFirst("") : text).append(' ');
      }
    }
    paragraphs.add(paragraph.toString());
    return paragraphs.stream().map(String::strip).filter(it -> !it.isEmpty()).toList();
  }

  /** What it shows between fences. */
  List<Code> code() {
    List<Code> blocks = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    String language = "";
    boolean code = false;
    for (String line : lines) {
      var fence = FENCE.matcher(line);
      if (fence.matches()) {
        if (code) {
          blocks.add(new Code(language, text.toString()));
        }
        language = fence.group(1);
        text.setLength(0);
        code = !code;
      } else if (code) {
        text.append(line).append('\n');
      }
    }
    return blocks;
  }

  /** The lines of its blocks for a shell, with those that go on in the next line put together. */
  List<String> commands() {
    return code().stream()
        .filter(it -> it.language().equals("sh"))
        .flatMap(it -> it.text().replace("\\\n", " ").lines())
        .map(String::strip)
        .filter(it -> !it.isEmpty())
        .toList();
  }

  /** Its links to other pages and files, as they are written. */
  List<String> relativeLinks() {
    return proseAndTables()
        .flatMap(it -> LINK.matcher(CODE.matcher(it).replaceAll("")).results())
        .map((MatchResult it) -> it.group(1))
        .filter(it -> !it.contains("://"))
        .toList();
  }

  /** The anchors of its headings, as GitHub makes them. */
  Set<String> anchors() {
    return proseAndTables()
        .filter(it -> it.startsWith("#"))
        .map(it -> it.replaceFirst("^#+ *", "").toLowerCase(Locale.ROOT))
        .map(it -> it.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private Stream<String> proseAndTables() {
    List<String> kept = new ArrayList<>();
    boolean code = false;
    for (String line : lines) {
      boolean fence = FENCE.matcher(line).matches();
      code ^= fence;
      if (!code && !fence) {
        kept.add(line);
      }
    }
    return kept.stream();
  }

  @Override
  public String toString() {
    return name;
  }
}
