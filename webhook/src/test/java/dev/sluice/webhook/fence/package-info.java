/** Tests of what admission knows of the quotas and lets nobody reserve. */
@NullMarked
package dev.sluice.webhook.fence;

import org.jspecify.annotations.NullMarked;
