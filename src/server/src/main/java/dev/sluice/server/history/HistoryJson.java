package dev.sluice.server.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.see.history.Gap;
import dev.sluice.see.history.Held;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.QuotaChange;
import dev.sluice.see.history.RunTimeHints;
import dev.sluice.see.history.Step;
import dev.sluice.see.history.Subject;
import dev.sluice.see.history.Transition;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A line of a history as JSON, and back. Members that a later version adds are ignored. */
public final class HistoryJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String QUOTA = "Quota";
  private static final String GAP = "Gap";

  private HistoryJson() {}

  /** The line as an object. */
  public static ObjectNode write(HistoryLine line) {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("at", line.at().toString());
    switch (line) {
      case Gap gap ->
          node.put("step", GAP).put("from", gap.from().toString()).put("reason", gap.reason());
      case QuotaChange change -> {
        node.put("step", QUOTA).put("cohort", change.cohort()).put("name", change.name());
        putUnlessEmpty(node, "parent", change.parent());
        amounts(node.putObject("nominal"), change.nominal());
      }
      case Transition transition -> add(node, transition);
    }
    return node;
  }

  private static void add(ObjectNode node, Transition line) {
    Subject subject = line.subject();
    node.put("step", line.step().text()).put("uid", subject.uid());
    node.put("namespace", subject.workload().namespace()).put("name", subject.workload().name());
    putUnlessEmpty(node, "localQueue", subject.localQueue());
    node.put("series", subject.series()).put("shape", subject.shape());
    if (subject.priority() != 0) {
      node.put("priority", subject.priority());
    }
    if (subject.hints().maximumSeconds() > 0) {
      node.put("maximumSeconds", subject.hints().maximumSeconds());
    }
    if (subject.hints().expectedSeconds() > 0) {
      node.put("expectedSeconds", subject.hints().expectedSeconds());
    }
    node.put("queued", line.queued().toString());
    Held held = line.held();
    if (held != null) {
      node.put("clusterQueue", held.clusterQueue()).put("reserved", held.reserved().toString());
      node.put("since", held.since().toString());
      Instant admitted = held.admitted();
      if (admitted != null) {
        node.put("admitted", admitted.toString());
      }
      Map<FlavorResource, Long> amounts = new TreeMap<>();
      held.amounts().forEach(amounts::put);
      amounts(node.putObject("amounts"), amounts);
    }
    putUnlessEmpty(node, "reason", line.reason());
    putUnlessEmpty(node, "by", line.by());
  }

  private static void putUnlessEmpty(ObjectNode node, String member, String text) {
    if (!text.isEmpty()) {
      node.put(member, text);
    }
  }

  private static void amounts(ObjectNode node, Map<FlavorResource, Long> amounts) {
    amounts.forEach(
        (pair, amount) -> node.withObjectProperty(pair.flavor()).put(pair.resource(), amount));
  }

  /** The line as the bytes of a file, with its end. */
  static byte[] bytes(HistoryLine line) {
    return (write(line) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The line of that JSON; empty for what is no line of a history. */
  public static Optional<HistoryLine> read(String json) {
    try {
      return read(MAPPER.readTree(json));
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }

  /** The line of that object; empty for what is no line of a history. */
  public static Optional<HistoryLine> read(@Nullable JsonNode node) {
    if (node == null || !node.isObject()) {
      return Optional.empty();
    }
    try {
      return Optional.of(line(node));
    } catch (DateTimeException | IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static HistoryLine line(JsonNode node) {
    Instant at = time(node, "at");
    String step = node.path("step").asText();
    return switch (step) {
      case GAP -> new Gap(time(node, "from"), at, node.path("reason").asText());
      case QUOTA ->
          new QuotaChange(
              at,
              node.path("cohort").asBoolean(),
              node.path("name").asText(),
              node.path("parent").asText(),
              amounts(node.path("nominal")));
      default ->
          new Transition(
              at,
              Step.of(step),
              subject(node),
              time(node, "queued"),
              node.has("reserved") ? held(node) : null,
              node.path("reason").asText(),
              node.path("by").asText());
    };
  }

  private static Instant time(JsonNode node, String member) {
    return Instant.parse(node.path(member).asText());
  }

  private static Subject subject(JsonNode node) {
    return new Subject(
        node.path("uid").asText(),
        new ObjectKey(node.path("namespace").asText().intern(), node.path("name").asText()),
        node.path("localQueue").asText().intern(),
        node.path("series").asText().intern(),
        node.path("shape").asText().intern(),
        node.path("priority").asLong(),
        new RunTimeHints(
            node.path("maximumSeconds").asLong(), node.path("expectedSeconds").asLong()));
  }

  private static Held held(JsonNode node) {
    return new Held(
        node.path("clusterQueue").asText().intern(),
        time(node, "reserved"),
        time(node, "since"),
        node.has("admitted") ? time(node, "admitted") : null,
        Usage.of(amounts(node.path("amounts"))));
  }

  private static Map<FlavorResource, Long> amounts(JsonNode flavors) {
    Map<FlavorResource, Long> amounts = new TreeMap<>();
    for (var flavor : flavors.properties()) {
      for (var resource : flavor.getValue().properties()) {
        amounts.put(
            new FlavorResource(flavor.getKey().intern(), resource.getKey().intern()),
            resource.getValue().asLong());
      }
    }
    return amounts;
  }
}
