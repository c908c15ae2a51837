package dev.sluice.examples.bakery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page about embedding shows this module's code as it is. */
class EmbedPageTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "tasks", "embed.md");
  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final Pattern BLOCK =
      Pattern.compile("^```java\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
  private static final int LINES = 150;

  private static List<String> sources() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      List<String> texts = new ArrayList<>();
      for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
        texts.add(Files.readString(file));
      }
      return texts;
    }
  }

  @Test
  void eachBlockOfJavaOnThePageStandsInTheSource() throws IOException {
    List<String> unindented = sources().stream().map(EmbedPageTest::withoutIndentation).toList();
    Matcher blocks = BLOCK.matcher(Files.readString(PAGE));
    int found = 0;
    while (blocks.find()) {
      String block = withoutIndentation(blocks.group(1));
      assertThat(unindented).as(blocks.group(1)).anyMatch(it -> it.contains(block));
      found++;
    }

    assertThat(found).isPositive();
  }

  /** A page indents a method less than its class does. */
  private static String withoutIndentation(String text) {
    return text.replaceAll("(?m)^ +", "");
  }

  @Test
  void theExampleIsAsSmallAsThePageSays() throws IOException {
    assertThat(Files.readString(PAGE)).contains("fewer than " + LINES + " lines");
    assertThat(sources().stream().mapToLong(it -> it.lines().count()).sum()).isLessThan(LINES);
  }
}
