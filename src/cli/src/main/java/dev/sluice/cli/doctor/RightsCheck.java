package dev.sluice.cli.doctor;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.cluster.Answer;
import java.util.ArrayList;
import java.util.List;

/** Whether this user may do what the remedies ask for. */
final class RightsCheck implements Check {
  private static final String PATH = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  private static final String OBJECT = "your rights";

  private final Cluster cluster;

  /** Something one may be allowed. */
  private record Right(String verb, String group, String resource, String subresource) {
    @Override
    public String toString() {
      return verb + " " + resource + (subresource.isEmpty() ? "" : "/" + subresource);
    }
  }

  RightsCheck(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Asks the API server. */
  @Override
  public void check(Findings findings) {
    List<String> denied = new ArrayList<>();
    for (Right right : neededToMigrate()) {
      Answer answer = cluster.post(PATH, review(right));
      if (!answer.isSuccess()) {
        findings.warning(OBJECT, "cannot be checked: " + answer.message(), Remedies.RIGHTS);
        return;
      }
      if (!answer.json().at("/status/allowed").asBoolean()) {
        denied.add(right.toString());
      }
    }
    if (denied.isEmpty()) {
      findings.ok(OBJECT, "suffice for sluice migrate");
    } else {
      findings.warning(
          OBJECT,
          "are not enough for sluice migrate: no " + String.join(", no ", denied),
          Remedies.RIGHTS);
    }
  }

  private static List<Right> neededToMigrate() {
    String crds = "customresourcedefinitions";
    List<Right> rights = new ArrayList<>();
    rights.add(new Right("get", "apiextensions.k8s.io", crds, ""));
    rights.add(new Right("patch", "apiextensions.k8s.io", crds, "status"));
    for (ApiKind kind : ApiKind.values()) {
      rights.add(new Right("list", ApiVersion.GROUP, kind.plural(), ""));
      rights.add(new Right("patch", ApiVersion.GROUP, kind.plural(), ""));
    }
    return rights;
  }

  private static String review(Right right) {
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
    review
        .putObject("spec")
        .putObject("resourceAttributes")
        .put("verb", right.verb())
        .put("group", right.group())
        .put("resource", right.resource())
        .put("subresource", right.subresource());
    return review.toString();
  }
}
