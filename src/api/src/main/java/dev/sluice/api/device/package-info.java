/**
 * Objects of the API group {@code resource.k8s.io}, each with the fields that decisions read. Start
 * at {@link dev.sluice.api.device.ResourceClaimTemplate}.
 */
@NullMarked
package dev.sluice.api.device;

import org.jspecify.annotations.NullMarked;
