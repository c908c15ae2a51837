package dev.sluice.cli.explain;

/**
 * A cluster that may run the workload.
 *
 * @param connection how the manager is connected with it
 * @param here what the manager says of the workload there
 * @param there what that cluster says of it; empty if it was not asked
 */
record OtherCluster(String name, String connection, String here, String there) {}
