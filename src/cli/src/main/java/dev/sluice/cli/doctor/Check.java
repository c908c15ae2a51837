package dev.sluice.cli.doctor;

/** One topic that is looked at. */
interface Check {
  /**
   * Adds what it finds.
   *
   * @throws dev.sluice.cli.cluster.ClusterException if the API server does not answer
   */
  void check(Findings findings);
}
