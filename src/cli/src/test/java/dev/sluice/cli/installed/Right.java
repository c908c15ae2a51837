package dev.sluice.cli.installed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;

/**
 * Something that an account may do.
 *
 * @param resource with its subresource, such as {@code jobs/status}
 */
record Right(String verb, String group, String resource) implements Comparable<Right> {
  private static final Comparator<Right> ORDER =
      Comparator.comparing(Right::group).thenComparing(Right::resource).thenComparing(Right::verb);

  static Right to(String verb, String group, String resource, String subresource) {
    return new Right(verb, group, subresource.isEmpty() ? resource : resource + "/" + subresource);
  }

  /** All that these documents grant, to whomever. */
  static Set<Right> grantedBy(Collection<JsonNode> documents) {
    Set<Right> granted = new TreeSet<>();
    for (JsonNode document : documents) {
      for (JsonNode rule : document.path("rules")) {
        for (JsonNode group : rule.path("apiGroups")) {
          for (JsonNode resource : rule.path("resources")) {
            for (JsonNode verb : rule.path("verbs")) {
              granted.add(new Right(verb.asText(), group.asText(), resource.asText()));
            }
          }
        }
      }
    }
    return granted;
  }

  /** Whether it is asked for by the API server on behalf of a write, which no log shows. */
  boolean isOfOwners() {
    return resource.endsWith("/finalizers");
  }

  @Override
  public int compareTo(Right other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return verb + " " + resource + (group.isEmpty() ? "" : " of " + group);
  }
}
