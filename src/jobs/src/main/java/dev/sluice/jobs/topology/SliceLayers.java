package dev.sluice.jobs.topology;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.api.names.LabelKey;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Slices of several levels, as an annotation has them: a JSON list, from coarse to fine. */
final class SliceLayers {
  static final int MAX_LAYERS = 3;

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private SliceLayers() {}

  /** One level and how many Pods a slice has there. */
  record Layer(String topology, long size) {}

  /** The layers; empty if the value is not a list of layers. */
  static Optional<List<Layer>> read(String text) {
    try {
      JsonNode list = MAPPER.readTree(text);
      return list.isNull() ? Optional.of(List.of()) : layers(list);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static Optional<List<Layer>> layers(JsonNode list) {
    var layers = new ArrayList<Layer>();
    for (JsonNode item : list) {
      if (!isLayer(item)) {
        return Optional.empty();
      }
      layers.add(new Layer(item.path("topology").asText(), item.path("size").asLong()));
    }
    return list.isArray() ? Optional.of(layers) : Optional.empty();
  }

  private static boolean isLayer(JsonNode item) {
    JsonNode topology = item.path("topology");
    JsonNode size = item.path("size");
    return (item.isObject() || item.isNull())
        && (isAbsent(topology) || topology.isTextual())
        && (isAbsent(size) || (size.isIntegralNumber() && size.canConvertToInt()));
  }

  private static boolean isAbsent(JsonNode node) {
    return node.isMissingNode() || node.isNull();
  }

  static void check(Field constraints, ValidationResult findings) {
    Optional<List<Layer>> layers = read(constraints.text().orElse(""));
    if (layers.isEmpty()) {
      findings.add(
          FieldError.invalid(
              constraints,
              "must be a JSON list of objects with topology (text) and size (number)"));
    } else if (layers.get().isEmpty() || layers.get().size() > MAX_LAYERS) {
      findings.add(
          FieldError.invalid(
              constraints, "must have 1 to 3 entries, it has " + layers.get().size()));
    } else {
      new Check(constraints.path(), layers.get(), findings).all();
    }
  }

  private record Check(String path, List<Layer> layers, ValidationResult findings) {
    void all() {
      Map<String, Integer> seen = new HashMap<>();
      for (int i = 0; i < layers.size(); i++) {
        checkLevel(i);
        checkSize(i);
        checkOnce(i, seen);
      }
      for (int i = 1; i < layers.size(); i++) {
        checkDivision(i);
      }
    }

    private String level(int i) {
      return path + "[" + i + "].topology";
    }

    private String size(int i) {
      return path + "[" + i + "].size";
    }

    private void checkLevel(int i) {
      String topology = layers.get(i).topology();
      for (String problem : LabelKey.problems(topology)) {
        findings.add(FieldError.invalid(level(i), TextNode.valueOf(topology), problem));
      }
    }

    private void checkOnce(int i, Map<String, Integer> seen) {
      String topology = layers.get(i).topology();
      Integer earlier = seen.putIfAbsent(topology, i);
      if (earlier != null) {
        findings.add(
            new FieldError(
                FieldError.Type.DUPLICATE,
                level(i),
                TextNode.valueOf(topology),
                "is the level of entry " + earlier + " already"));
      }
    }

    private void checkSize(int i) {
      long size = layers.get(i).size();
      if (size < 1) {
        findings.add(FieldError.invalid(size(i), LongNode.valueOf(size), "must be at least 1"));
      }
    }

    private void checkDivision(int i) {
      long size = layers.get(i).size();
      long before = layers.get(i - 1).size();
      if (size > 0 && before > 0 && before % size != 0) {
        findings.add(
            FieldError.invalid(
                size(i),
                IntNode.valueOf((int) size),
                "must divide the size of the entry before, " + before));
      }
    }
  }
}
