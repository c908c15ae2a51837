/**
 * What has to be so on every cluster for one Workload of the manager: a pure plan from what is
 * seen. Killed between any two writes, the next plan does the rest.
 */
@NullMarked
package dev.sluice.multicluster.protocol;

import org.jspecify.annotations.NullMarked;
