package dev.sluice.cli.takeover;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.api.vocabulary.SchedulingGates;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Lists;
import dev.sluice.cli.doctor.check.Remedies;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Pods that a gate of the group holds back: somebody has to open each of them. */
final class GatedPodsCheck implements Check {
  private static final Set<String> KNOWN =
      Set.of(SchedulingGates.ADMISSION, SchedulingGates.TOPOLOGY, SchedulingGates.ELASTIC_JOB);

  private final Cluster cluster;
  private final Side to;

  GatedPodsCheck(Cluster cluster, Side to) {
    this.cluster = cluster;
    this.to = to;
  }

  @Override
  public void check(Findings findings) {
    Optional<List<JsonNode>> pods = Lists.all(cluster, "/api/v1/pods", "");
    if (pods.isEmpty()) {
      findings.warning("pods", "cannot be listed", Remedies.RIGHTS);
      return;
    }
    Map<String, Integer> gated = new TreeMap<>();
    for (JsonNode pod : pods.get()) {
      for (JsonNode gate : pod.at("/spec/schedulingGates")) {
        String name = gate.path("name").asText();
        if (name.startsWith(Domains.KUEUE)) {
          gated.merge(name, 1, Integer::sum);
        }
      }
    }
    if (gated.isEmpty()) {
      findings.ok("gated pods", "none");
    }
    gated.forEach(
        (gate, count) -> {
          String object = "scheduling gate " + gate;
          if (KNOWN.contains(gate)) {
            findings.ok(object, "%d pods wait; %s opens it".formatted(count, to.name()));
          } else {
            findings.error(
                object,
                "%d pods wait, and nobody would open it after the switch".formatted(count),
                "let them start or delete them before the switch");
          }
        });
  }
}
