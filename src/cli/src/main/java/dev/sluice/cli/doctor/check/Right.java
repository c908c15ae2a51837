package dev.sluice.cli.doctor.check;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.cluster.Answer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Something that a user may be allowed.
 *
 * @param subresource such as {@code status}; empty for the object itself
 * @param namespace where; empty for all namespaces
 * @param name of the one object; empty for all objects
 */
public record Right(
    String verb, String group, String resource, String subresource, String namespace, String name) {
  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/";

  /** In all namespaces. */
  public Right(String verb, String group, String resource, String subresource) {
    this(verb, group, resource, subresource, "", "");
  }

  /** The same in one namespace. */
  public Right in(String one) {
    return new Right(verb, group, resource, subresource, one, name);
  }

  /** The same for one object. */
  public Right of(String object) {
    return new Right(verb, group, resource, subresource, namespace, object);
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

  /** A service account, which is the user of each request with its token. */
  public record Account(String namespace, String name) {
    private void describe(ObjectNode spec) {
      String prefix = "system:serviceaccounts";
      spec.put("user", "system:serviceaccount:" + namespace + ":" + name);
      spec.putArray("groups").add(prefix).add(prefix + ":" + namespace).add("system:authenticated");
    }
  }

  /** Asks the API server for each right of the own user. */
  public static Lacking lacking(Collection<Right> rights, Cluster cluster) {
    return lacking(rights, "SelfSubjectAccessReview", _ -> {}, cluster);
  }

  /** Asks the API server for each right of a service account, which needs a right to ask. */
  public static Lacking lacking(Collection<Right> rights, Account account, Cluster cluster) {
    return lacking(rights, "SubjectAccessReview", account::describe, cluster);
  }

  private static Lacking lacking(
      Collection<Right> rights, String kind, Consumer<ObjectNode> subject, Cluster cluster) {
    String path = REVIEWS + kind.toLowerCase(Locale.ROOT) + "s";
    List<Right> denied = new ArrayList<>();
    for (Right right : rights) {
      ObjectNode review = JsonNodeFactory.instance.objectNode();
      review.put("apiVersion", "authorization.k8s.io/v1").put("kind", kind);
      ObjectNode spec = review.putObject("spec");
      spec.set("resourceAttributes", right.attributes());
      subject.accept(spec);
      Answer answer = cluster.post(path, review.toString());
      if (!answer.isSuccess()) {
        return new Lacking(List.of(), answer.message());
      }
      if (!answer.json().at("/status/allowed").asBoolean()) {
        denied.add(right);
      }
    }
    return new Lacking(denied, "");
  }

  private ObjectNode attributes() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("verb", verb)
        .put("group", group)
        .put("resource", resource)
        .put("subresource", subresource)
        .put("namespace", namespace)
        .put("name", name);
  }

  @Override
  public String toString() {
    return verb
        + " "
        + resource
        + (subresource.isEmpty() ? "" : "/" + subresource)
        + (name.isEmpty() ? "" : " " + name)
        + (namespace.isEmpty() ? "" : " in " + namespace);
  }
}
