package dev.sluice.cli.doctor.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Manager.LeaderElection;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.function.Supplier;

/** Whether a scheduler leads, as its Lease says. */
public final class LeaderCheck implements Check {
  private final Cluster cluster;
  private final ServerPlace place;
  private final Supplier<LeaderElection> election;
  private final InstantSource clock;

  /**
   * A check.
   *
   * @param election says which Lease it is; asked when it checks
   */
  public LeaderCheck(
      Cluster cluster, ServerPlace place, Supplier<LeaderElection> election, InstantSource clock) {
    this.cluster = cluster;
    this.place = place;
    this.election = election;
    this.clock = clock;
  }

  @Override
  public void check(Findings findings) {
    if (place.deployment().isEmpty()) {
      return; // it is not known where its Lease would be
    }
    LeaderElection chosen = election.get();
    boolean elects =
        place.option("--leader-elect").map(Boolean::parseBoolean).orElse(chosen.enabled());
    if (!elects) {
      return; // the only replica leads without a Lease
    }
    String namespace = chosen.resourceNamespace();
    String object = "lease %s/%s".formatted(namespace, chosen.resourceName());
    Answer answer =
        cluster.get(
            "/apis/coordination.k8s.io/v1/namespaces/%s/leases/%s"
                .formatted(namespace, chosen.resourceName()));
    String logs =
        "kubectl -n %s logs deployment/%s -c scheduler"
            .formatted(place.namespace(), place.deployment().get().at("/metadata/name").asText());
    if (answer.status() == 404) {
      findings.error(object, "is missing: no scheduler has led, so nothing is admitted", logs);
    } else if (!answer.isSuccess()) {
      findings.warning(object, "cannot be read: " + answer.message(), Remedies.RIGHTS);
    } else {
      renewed(object, answer.json().path("spec"), logs, findings);
    }
  }

  private void renewed(String object, JsonNode spec, String logs, Findings findings) {
    String holder = spec.path("holderIdentity").asText();
    if (holder.isEmpty()) {
      findings.warning(object, "was given up, and nobody has taken it", logs);
      return;
    }
    try {
      Instant last = Instant.parse(spec.path("renewTime").asText());
      Duration age = Duration.between(last, clock.instant());
      if (age.toSeconds() > spec.path("leaseDurationSeconds").asInt()) {
        findings.error(
            object,
            "%s led, and last renewed it %d s ago: nothing is admitted"
                .formatted(holder, age.toSeconds()),
            logs);
      } else {
        findings.ok(object, holder + " leads");
      }
    } catch (DateTimeParseException _) {
      findings.warning(object, "does not say when it was renewed", logs);
    }
  }
}
