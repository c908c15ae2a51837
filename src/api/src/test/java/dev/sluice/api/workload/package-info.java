/** Tests of what follows from a Workload's status. */
@NullMarked
package dev.sluice.api.workload;

import org.jspecify.annotations.NullMarked;
