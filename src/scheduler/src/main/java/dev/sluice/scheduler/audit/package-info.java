/**
 * The engine's look at itself while it works: all of its state a little at a time, and at once when
 * somebody asks. Start at {@link dev.sluice.scheduler.audit.AuditController}.
 */
@NullMarked
package dev.sluice.scheduler.audit;

import org.jspecify.annotations.NullMarked;
