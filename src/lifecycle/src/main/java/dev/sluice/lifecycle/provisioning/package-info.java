/**
 * The admission check that asks an autoscaler for nodes. {@link
 * dev.sluice.lifecycle.provisioning.ProvisioningPlanner} says what to write for one Workload:
 * ProvisioningRequests with their PodTemplates, the state of the check, and what to delete. {@link
 * dev.sluice.lifecycle.provisioning.CheckActivity} says whether an AdmissionCheck of this
 * controller works.
 */
@NullMarked
package dev.sluice.lifecycle.provisioning;

import org.jspecify.annotations.NullMarked;
