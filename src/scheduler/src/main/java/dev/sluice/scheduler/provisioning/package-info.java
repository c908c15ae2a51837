/**
 * The admission check that asks an autoscaler for nodes. {@link
 * dev.sluice.scheduler.provisioning.ProvisioningPlanner} is pure and says what to write for one
 * Workload: ProvisioningRequests with their PodTemplates, the state of the check, and what to
 * delete. {@link dev.sluice.scheduler.provisioning.CheckActivity} is pure, too, and says whether an
 * AdmissionCheck of this controller works. The two controllers carry that out.
 */
@NullMarked
package dev.sluice.scheduler.provisioning;

import org.jspecify.annotations.NullMarked;
