package dev.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.api.names.LabelKey;
import dev.sluice.api.names.LabelValue;
import dev.sluice.api.names.Subdomain;
import dev.sluice.rules.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Checks what people write into the metadata of an object of any kind: its name, labels,
 * annotations, finalizers.
 */
public final class MetadataCheck {
  private static final int MOST_ANNOTATED = 256 << 10;
  private static final Set<String> KNOWN =
      Set.of(
          "annotations",
          "creationTimestamp",
          "deletionGracePeriodSeconds",
          "deletionTimestamp",
          "finalizers",
          "generateName",
          "generation",
          "labels",
          "managedFields",
          "name",
          "namespace",
          "ownerReferences",
          "resourceVersion",
          "selfLink",
          "uid");

  private final List<Fault> faults;

  /** A check that adds what it finds to this list. */
  MetadataCheck(List<Fault> faults) {
    this.faults = faults;
  }

  /** What the API server refuses in the metadata of an object, whatever its kind. */
  public static List<FieldError> violations(JsonNode metadata) {
    List<Fault> faults = new ArrayList<>();
    new MetadataCheck(faults).check(metadata);
    return faults.stream().map(Fault::violation).toList();
  }

  /** Members that no metadata has. */
  static List<UnknownField> unknown(JsonNode metadata) {
    List<UnknownField> unknown = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : metadata.properties()) {
      if (!KNOWN.contains(member.getKey())) {
        unknown.add(UnknownField.of("metadata." + member.getKey(), member.getKey(), KNOWN));
      }
    }
    return unknown;
  }

  void check(JsonNode metadata) {
    checkName(metadata);
    checkLabels(metadata.path("labels"));
    checkAnnotations(metadata.path("annotations"));
    checkFinalizers(metadata.path("finalizers"));
  }

  private void checkName(JsonNode metadata) {
    JsonNode name = metadata.path("name");
    boolean isGenerated = !metadata.path("generateName").asText().isEmpty();
    if (name.asText().isEmpty() && !name.isContainerNode()) {
      if (!isGenerated) {
        faults.add(Fault.required("metadata.name"));
      }
    } else if (isText(name, "metadata.name")) {
      addAll("metadata.name", name, Subdomain.problems(name.textValue()));
    }
  }

  private void checkLabels(JsonNode labels) {
    for (Map.Entry<String, JsonNode> label : labels.properties()) {
      addAll(
          "metadata.labels", TextNode.valueOf(label.getKey()), LabelKey.problems(label.getKey()));
      if (isText(label.getValue(), Path.member("metadata.labels", label.getKey()))) {
        addAll("metadata.labels", label.getValue(), LabelValue.problems(label.getValue().asText()));
      }
    }
  }

  private void checkAnnotations(JsonNode annotations) {
    long size = 0;
    for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
      addAll(
          "metadata.annotations",
          TextNode.valueOf(annotation.getKey()),
          LabelKey.problems(annotation.getKey().toLowerCase(Locale.ROOT)));
      isText(annotation.getValue(), Path.member("metadata.annotations", annotation.getKey()));
      size += annotation.getKey().length() + annotation.getValue().asText().length();
    }
    if (size > MOST_ANNOTATED) {
      faults.add(
          Fault.tooLong("metadata.annotations", "must have at most 262144 characters in all"));
    }
  }

  private void checkFinalizers(JsonNode finalizers) {
    for (int i = 0; i < finalizers.size(); i++) {
      JsonNode finalizer = finalizers.get(i);
      if (isText(finalizer, Path.item("metadata.finalizers", i))) {
        addAll("metadata.finalizers", finalizer, LabelKey.problems(finalizer.textValue()));
      }
    }
  }

  private boolean isText(JsonNode value, String path) {
    if (!value.isTextual() && !value.isNull()) {
      faults.add(Fault.wrongType(path, value, "text"));
    }
    return value.isTextual();
  }

  private void addAll(String path, JsonNode value, List<String> problems) {
    problems.forEach(problem -> faults.add(Fault.invalid(path, value, problem)));
  }
}
