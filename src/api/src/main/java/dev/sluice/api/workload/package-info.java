/** What waits for quota and what has it. Start at {@link dev.sluice.api.workload.Workload}. */
@NullMarked
package dev.sluice.api.workload;

import org.jspecify.annotations.NullMarked;
