package dev.sluice.cli.doctor.server;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import java.util.Comparator;
import java.util.List;

/** Whether the API server serves the job kinds that the configuration enables. */
public final class JobKindCheck {
  private final Cluster cluster;

  /** A check of that cluster. */
  public JobKindCheck(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Adds one finding for each enabled kind. */
  public void check(List<Framework> enabled, Findings findings) {
    enabled.stream()
        .sorted(Comparator.comparing(Framework::frameworkName))
        .forEach(framework -> check(framework, findings));
  }

  private void check(Framework framework, Findings findings) {
    GroupVersionKind type = framework.type();
    String object = "job kind " + framework.frameworkName();
    Answer answer = cluster.resources(type);
    if (answer.isSuccess() && Cluster.lists(answer, framework.plural())) {
      findings.ok(object, "is served at " + type.apiVersion() + ", reviewed and scheduled");
    } else if (answer.isSuccess() || answer.status() == 404) {
      findings.warning(
          object,
          "is enabled, but the API server does not serve "
              + type.kind()
              + " at "
              + type.apiVersion()
              + "; it is scheduled once it is served",
          "install its operator, or remove it from integrations.frameworks");
    } else {
      findings.warning(object, "cannot be looked up: " + answer.message(), Remedies.RIGHTS);
    }
  }
}
