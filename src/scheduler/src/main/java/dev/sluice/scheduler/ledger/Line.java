package dev.sluice.scheduler.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.RoleSettings;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One line of the protocol: JSON on one line of text. A ledger begins, entries are put and dropped,
 * and a seal makes all lines since the last seal valid at once.
 */
sealed interface Line {
  /** The form of lines; another one is refused. */
  int FORM = 1;

  /**
   * The whole ledger follows; earlier lines are void.
   *
   * @param settings those of the scheduler; empty if it is older than this field
   */
  record Begin(Optional<RoleSettings> settings) implements Line {}

  /** The Workload has this now. */
  record Put(Entry entry) implements Line {}

  /** The Workload no longer holds quota. */
  record Drop(ObjectKey workload) implements Line {}

  /**
   * All lines so far are valid.
   *
   * @param sequence one more than that of the last seal
   * @param size how many entries there are
   * @param digest of all entries
   */
  record Seal(long sequence, int size, long digest) implements Line {}

  /** Two values on one line are a line whose end was lost. */
  ObjectMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  /** The line without its end. */
  default String text() {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    switch (this) {
      case Begin(var settings) -> {
        line.put("begin", FORM);
        settings.ifPresent(
            it -> line.put("jobKinds", it.jobKindList()).put("featureGates", it.gateList()));
      }
      case Drop(var key) ->
          line.putObject("drop").put("namespace", key.namespace()).put("name", key.name());
      case Seal(long sequence, int size, long digest) ->
          line.putObject("seal")
              .put("sequence", sequence)
              .put("size", size)
              .put("digest", Long.toHexString(digest));
      case Put(var entry) -> write(entry, line.putObject("put"));
    }
    return line.toString();
  }

  private static void write(Entry entry, ObjectNode put) {
    put.put("namespace", entry.workload().namespace()).put("name", entry.workload().name());
    put.put("uid", entry.uid()).put("version", entry.version());
    put.put("clusterQueue", entry.clusterQueue());
    ArrayNode usage = put.putArray("usage");
    entry
        .usage()
        .forEach(
            (pair, amount) -> usage.addArray().add(pair.flavor()).add(pair.resource()).add(amount));
  }

  /**
   * Reads a line.
   *
   * @throws IOException if it is none
   */
  static Line read(byte[] text) throws IOException {
    JsonNode line;
    try {
      line = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IOException("no line of a ledger: " + e.getOriginalMessage(), e);
    }
    if (line.path("begin").asInt() == FORM) {
      return new Begin(
          Optional.of(line)
              .filter(it -> it.has("jobKinds"))
              .map(
                  it ->
                      RoleSettings.parse(
                          it.path("jobKinds").asText(), it.path("featureGates").asText())));
    } else if (line.path("put").isObject()) {
      return new Put(entry(line.path("put")));
    } else if (line.path("drop").isObject()) {
      return new Drop(key(line.path("drop")));
    } else if (line.path("seal").isObject()) {
      JsonNode seal = line.path("seal");
      return new Seal(
          seal.path("sequence").asLong(),
          seal.path("size").asInt(),
          digest(seal.path("digest").asText()));
    }
    throw new IOException("no line of a ledger");
  }

  private static long digest(String text) throws IOException {
    try {
      return Long.parseUnsignedLong(text, 16);
    } catch (NumberFormatException e) {
      throw new IOException("no digest", e);
    }
  }

  private static ObjectKey key(JsonNode it) {
    return new ObjectKey(it.path("namespace").asText(), it.path("name").asText());
  }

  private static Entry entry(JsonNode it) {
    Map<FlavorResource, Long> usage = new HashMap<>();
    for (JsonNode part : it.path("usage")) {
      usage.put(
          new FlavorResource(part.path(0).asText(), part.path(1).asText()), part.path(2).asLong());
    }
    return new Entry(
        key(it),
        it.path("uid").asText(),
        it.path("version").asLong(),
        it.path("clusterQueue").asText(),
        Usage.of(usage));
  }
}
