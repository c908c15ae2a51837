/**
 * What devices that pods claim count as: by the class of a device the resource that the
 * configuration maps it to. Start at {@link dev.sluice.quota.device.DeviceCounter}.
 */
@NullMarked
package dev.sluice.quota.device;

import org.jspecify.annotations.NullMarked;
