package dev.sluice.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;

/** How a run of {@code doctor} ended. */
record Examined(int code, String out, JsonNode tree) {

  /** Runs the command. */
  static Examined by(CommandLine command, Path kubeconfig, String... more) {
    StringWriter out = new StringWriter();
    command.setOut(new PrintWriter(out)).setCaseInsensitiveEnumValuesAllowed(true);
    Stream<String> common = Stream.of("--kubeconfig=" + kubeconfig, "--timeout=30s", "-o", "json");
    int code = command.execute(Stream.concat(common, Stream.of(more)).toArray(String[]::new));
    try {
      return new Examined(code, out.toString(), new JsonMapper().readTree(out.toString()));
    } catch (IOException e) {
      throw new AssertionError(out.toString(), e);
    }
  }

  /** The findings of these levels. */
  Stream<JsonNode> findings(String... levels) {
    return StreamSupport.stream(tree.path("findings").spliterator(), false)
        .filter(finding -> Stream.of(levels).anyMatch(finding.path("level").asText()::equals));
  }

  /** What was found of an object, as {@code level: seen}. */
  List<String> of(String object) {
    return findings("ok", "warning", "error")
        .filter(finding -> finding.path("object").asText().equals(object))
        .map(it -> it.path("level").asText() + ": " + it.path("seen").asText())
        .toList();
  }
}
