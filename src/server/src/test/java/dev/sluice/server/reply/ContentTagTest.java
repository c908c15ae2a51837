package dev.sluice.server.reply;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ContentTagTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:01.250Z");

  private static String tag(String json, Instant asOf) {
    return ContentTag.of(json.replace('\'', '"').formatted(asOf).getBytes(UTF_8), asOf);
  }

  @Test
  void aNewerStateThatSaysTheSameHasTheSameTag() {
    String json = "{'kind':'Line','asOf':'%s','items':[1]}";

    assertThat(tag(json, NOW)).isEqualTo(tag(json, THEN)).matches("\"[A-Za-z0-9_-]{32}\"");
  }

  @Test
  void everyOtherDifferenceGivesAnotherTag() {
    assertThat(tag("{'asOf':'%s','items':[1]}", THEN))
        .isNotEqualTo(tag("{'asOf':'%s','items':[2]}", THEN))
        .isNotEqualTo(tag("{'asOf':'%s','items':[]}", THEN));
    assertThat(tag("{'a':'x','asOf':'%s'}", THEN)).isNotEqualTo(tag("{'a':'y','asOf':'%s'}", THEN));
  }

  @Test
  void aTextThatLooksLikeTheTimeIsContent() {
    String text = "{'name':'\\'asOf\\':\\'%s\\'','asOf':'%s'}";

    String then = ContentTag.of(text.formatted(THEN, NOW).replace('\'', '"').getBytes(UTF_8), NOW);
    String now = ContentTag.of(text.formatted(NOW, NOW).replace('\'', '"').getBytes(UTF_8), NOW);

    assertThat(then).isNotEqualTo(now);
  }

  @Test
  void aDocumentWithoutATimeHasATag() {
    byte[] json = "{}".getBytes(UTF_8);

    assertThat(ContentTag.of(json, NOW)).isEqualTo(ContentTag.of(json));
    assertThat(ContentTag.of(new byte[0], NOW)).isEqualTo(ContentTag.of(new byte[0]));
  }
}
