package dev.sluice.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.cli.kinds.KindScene;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** The manifests that users start with, as webhooks would admit them on a manager of clusters. */
final class SampleJobs {
  private SampleJobs() {}

  /** The documents of a sample, in the namespace of a fleet; only cpu is requested. */
  static List<JsonNode> documents(String sample) {
    try (MappingIterator<JsonNode> documents =
        new YAMLMapper()
            .readerFor(JsonNode.class)
            .readValues(KindScene.SAMPLES.resolve(sample + ".yaml").toFile())) {
      List<JsonNode> all = documents.readAll();
      all.forEach(
          it -> {
            ((ObjectNode) it.path("metadata")).put("namespace", Fleet.NAMESPACE);
            it.findParents("memory").forEach(list -> ((ObjectNode) list).remove("memory"));
          });
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The job of a sample, which is its last document, in that queue. */
  static ObjectNode of(String sample, String queue) {
    ObjectNode job = (ObjectNode) documents(sample).getLast();
    job.withObject("/metadata/labels").put("kueue.x-k8s.io/queue-name", queue);
    return job;
  }

  static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }
}
