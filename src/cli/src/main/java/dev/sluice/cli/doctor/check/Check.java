package dev.sluice.cli.doctor.check;

/** One topic that is looked at. */
public interface Check {
  /**
   * Adds what it finds.
   *
   * @throws dev.sluice.cli.cluster.ClusterException if the API server does not answer
   */
  void check(Findings findings);
}
