package dev.sluice.jobs;

import static dev.sluice.jobs.Jobs.KEY;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Conditions;
import java.time.Duration;

/** The only Job of a cluster, and its only Workload. */
final class OneJob {
  private final TestCluster cluster;

  OneJob(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** A Job that waits, since long enough for its Workload to say so. */
  void add(int parallelism, int completions) {
    cluster.add(Jobs.job("j", parallelism, completions));
    cluster.settle(KEY);
    cluster.pass(Duration.ofSeconds(2));
    cluster.settle(KEY);
  }

  /** A Job that was admitted, with its Pods running. */
  void run(int parallelism, int completions, int granted) {
    add(parallelism, completions);
    cluster.changeWorkload(cluster.onlyWorkloadName(), it -> Admissions.admit(it, granted));
    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);
  }

  JsonNode job() {
    return cluster.get(KEY);
  }

  JsonNode condition(String type) {
    return Conditions.find(cluster.onlyWorkload(), type).orElseThrow();
  }
}
