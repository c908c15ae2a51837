/**
 * What the visibility API of Kueue says about workloads that wait, as values. Start at {@link
 * dev.sluice.see.visibility.PendingWorkloads}.
 */
@NullMarked
package dev.sluice.see.visibility;

import org.jspecify.annotations.NullMarked;
