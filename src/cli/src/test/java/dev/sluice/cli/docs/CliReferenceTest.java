package dev.sluice.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CliReferenceTest {
  private static final Path PAGE = Page.ROOT.resolve("docs/reference/cli.md");

  @Test
  void thePageIsWhatHelpPrints() throws Exception {
    String generated = CliReference.page();
    if (Boolean.getBoolean("sluice.docs.write")) {
      Files.writeString(PAGE, generated);
    }

    assertThat(Files.readString(PAGE))
        .as("%s; CONTRIBUTING.md has the command that writes it", PAGE)
        .isEqualTo(generated);
  }
}
