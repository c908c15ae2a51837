/** Tests of the fence: reservations that admission refuses by its view of the quotas. */
@NullMarked
package dev.sluice.webhook.fence;

import org.jspecify.annotations.NullMarked;
