package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that a flag cannot take: exit code 2, and a sentence with the flag and what it takes. */
class WrongUsageTest {
  @TempDir private Path folder;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "serve --no-view --no-inject --max-connections=0 | --max-connections",
        "serve --no-view --no-inject --max-connections-per-address=0 |"
            + " --max-connections-per-address",
        "serve --no-view --no-inject --max-depth=0 | --max-depth",
        "serve --no-view --no-inject --max-text=0 | --max-text",
        "serve --no-view --no-inject --max-number=-1 | --max-number",
        "serve --no-view --no-inject --body-timeout=0s | --body-timeout",
        "serve --no-view --no-inject --head-timeout=0s | --head-timeout",
        "serve --no-view --no-inject --drain-timeout=soon | --drain-timeout",
        "serve --no-view --no-inject --client-ca-conversion | --client-ca",
        "serve --no-view --no-inject --view-timeout=soon | --view-timeout",
        "serve --log-format=xml | [TEXT, JSON]",
        "run --log-format=xml | [TEXT, JSON]",
        "schedule --log-format=xml | [TEXT, JSON]",
        "see --log-format=xml | [TEXT, JSON]",
        "dev-cluster --log-format=xml | [TEXT, JSON]",
        "dev-cluster --no-schedule --workers=1 | neither --api-only nor --no-schedule",
        "see --history-size=1Mi --history=. --kubeconfig=FOLDER/none | none",
        "simulate -f FOLDER --until-quiet --cycles=2 | --until-quiet",
        "queue q --limit=0 | --limit (expected: at least 1)",
        "install --served=v1beta2,v9 | v9 (expected: some of [v1alpha1, v1beta1, v1beta2])",
        "install --cert-secret=No_Name | No_Name (expected: the name of an object)",
        "replay FOLDER/none --verify | none: no such file or folder"
      })
  void isRefusedWithTheFlag(String line, String message) {
    String[] args = line.replace("FOLDER", folder.toString()).split(" ", -1);

    Commands.Ran ran = Commands.run(args);

    assertThat(ran.err()).contains(message);
    assertThat(ran.code()).isEqualTo(2);
  }
}
