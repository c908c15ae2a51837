/** Which worker clusters a Workload is offered to, and when to more of them. */
@NullMarked
package dev.sluice.multicluster.dispatch;

import org.jspecify.annotations.NullMarked;
