package dev.sluice.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Sluice;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class MigrateCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "migrate --kind Pod | 2 | 'Pod' (expected: one of",
        "migrate --rate -1 | 2 | --rate: -1 (expected: 0 to 1000000)",
        "migrate --parallel 65 | 2 | --parallel: 65 (expected: 1 to 64)",
        "migrate --page-size 0 | 2 | --page-size: 0 (expected: 1 to 5000)",
        "migrate --patience soon | 2 | expected: a time such as 30s",
        "migrate --hand-back --dry-run | 2 | --hand-back: beside --dry-run",
        "migrate --hand-back --kind Workload | 2 | --hand-back: beside --dry-run",
        "migrate --kubeconfig nowhere | 2 | kubeconfig nowhere: there is no such file",
        "doctor --timeout 1h | 2 | --timeout: 3600000 ms (expected: up to 5m)",
        "doctor -o xml | 2 | xml",
      })
  void refusesWhatItCannotWorkWith(String line, int code, String message) {
    CommandLine command = Sluice.commandLine();
    StringWriter err = new StringWriter();
    command.setErr(new PrintWriter(err));

    int actual = command.execute(line.split(" "));

    assertThat(err.toString()).contains(message);
    assertThat(actual).isEqualTo(code);
  }
}
