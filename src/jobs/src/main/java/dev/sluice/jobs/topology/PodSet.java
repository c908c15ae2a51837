package dev.sluice.jobs.topology;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.rules.Field;

/**
 * Pods of one job that are made from one template.
 *
 * @param name what its Workload calls them
 * @param metadata the template's metadata, at the path where its annotations are reported
 * @param count how many there are; 0 while there are none
 */
public record PodSet(String name, Field metadata, long count) {
  public PodSet {
    requireNonNull(name, "name");
    requireNonNull(metadata, "metadata");
  }

  /** The Pods of a template that lies in the object where it is reported. */
  public static PodSet of(String name, Field template, long count) {
    return new PodSet(name, template.child("metadata"), count);
  }

  Field annotations() {
    return metadata.child("annotations");
  }

  Field annotation(String key) {
    return annotations().key(key);
  }

  boolean has(String key) {
    JsonNode value = annotation(key).node();
    return !value.isMissingNode() && !value.isNull();
  }

  String text(String key) {
    return annotation(key).text().orElse("");
  }
}
