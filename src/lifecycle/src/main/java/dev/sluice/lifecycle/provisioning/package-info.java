/**
 * The admission check that requests nodes from an autoscaler. {@link
 * dev.sluice.lifecycle.provisioning.ProvisioningPlanner} plans the writes for one Workload:
 * ProvisioningRequests with their PodTemplates, the state of the check, and what to delete. {@link
 * dev.sluice.lifecycle.provisioning.CheckActivity} decides whether an AdmissionCheck of this
 * controller is active.
 */
@NullMarked
package dev.sluice.lifecycle.provisioning;

import org.jspecify.annotations.NullMarked;
