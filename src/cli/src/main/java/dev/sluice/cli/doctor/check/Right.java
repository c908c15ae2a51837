package dev.sluice.cli.doctor.check;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.cluster.Answer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Something that a user may be allowed.
 *
 * @param subresource such as {@code status}; empty for the object itself
 * @param namespace where; empty for all namespaces
 */
public record Right(
    String verb, String group, String resource, String subresource, String namespace) {
  private static final String PATH = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

  /** In all namespaces. */
  public Right(String verb, String group, String resource, String subresource) {
    this(verb, group, resource, subresource, "");
  }

  /** The same in one namespace. */
  public Right in(String one) {
    return new Right(verb, group, resource, subresource, one);
  }

  /**
   * Which of these rights the user lacks.
   *
   * @param problem why the API server does not say; empty if it does
   */
  public record Lacking(List<Right> rights, String problem) {
    public Lacking {
      rights = List.copyOf(rights);
    }

    /** In words. */
    public String text() {
      return "no " + String.join(", no ", rights.stream().map(Right::toString).toList());
    }
  }

  /** Asks the API server for each. */
  public static Lacking lacking(Collection<Right> rights, Cluster cluster) {
    List<Right> denied = new ArrayList<>();
    for (Right right : rights) {
      Answer answer = cluster.post(PATH, right.review());
      if (!answer.isSuccess()) {
        return new Lacking(List.of(), answer.message());
      }
      if (!answer.json().at("/status/allowed").asBoolean()) {
        denied.add(right);
      }
    }
    return new Lacking(denied, "");
  }

  private String review() {
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
    review
        .putObject("spec")
        .putObject("resourceAttributes")
        .put("verb", verb)
        .put("group", group)
        .put("resource", resource)
        .put("subresource", subresource)
        .put("namespace", namespace);
    return review.toString();
  }

  @Override
  public String toString() {
    return verb
        + " "
        + resource
        + (subresource.isEmpty() ? "" : "/" + subresource)
        + (namespace.isEmpty() ? "" : " in " + namespace);
  }
}
