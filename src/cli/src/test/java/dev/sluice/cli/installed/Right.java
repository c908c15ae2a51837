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

  /** All that these documents grant to an account. */
  static Set<Right> grantedBy(Collection<JsonNode> documents, String account) {
    Set<String> roles = new TreeSet<>();
    for (JsonNode document : documents) {
      if (document.at("/subjects/0/name").asText().equals(account)) {
        roles.add(role(document.at("/roleRef/kind"), document.at("/roleRef/name")));
      }
    }
    Set<Right> granted = new TreeSet<>();
    for (JsonNode document : documents) {
      if (!roles.contains(role(document.path("kind"), document.at("/metadata/name")))) {
        continue;
      }
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

  private static String role(JsonNode kind, JsonNode name) {
    return kind.asText() + " " + name.asText();
  }

  /**
   * Whether it is asked for by the API server on behalf of a write, which no log shows: to name an
   * owner, or to create by an apply.
   */
  boolean isOfAnotherWrite() {
    return resource.endsWith("/finalizers")
        || (resource.equals("secrets") && verb.equals("create"))
        || (resource.endsWith("webhookconfigurations")
            && (verb.equals("create") || verb.equals("delete")));
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
