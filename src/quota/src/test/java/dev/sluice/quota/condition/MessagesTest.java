package dev.sluice.quota.condition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.Messages;
import org.junit.jupiter.api.Test;

/** Messages that are longer than what stores them. */
class MessagesTest {
  @Test
  void aMessageThatIsTooLongEndsWithDotsAndWithAWholeCharacter() {
    String cut = Messages.cut("x" + "\u00e4".repeat(2_000), 1_024);

    assertThat(cut.getBytes(UTF_8)).hasSize(1_023);
    assertThat(cut).startsWith("x\u00e4").endsWith("\u00e4 ...");
  }

  @Test
  void theMessageOfAConditionIsAsLongAsItsSchemaAllows() {
    assertThat(Messages.cut("x".repeat(40_000))).hasSize(32_768).endsWith("x ...");
    assertThat(Messages.cut("x".repeat(32_768))).hasSize(32_768).endsWith("x");
  }
}
