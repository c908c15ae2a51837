/**
 * Audits of the running engine: its whole state in small pieces, or at once on request. Start at
 * {@link dev.sluice.scheduler.audit.AuditController}.
 */
@NullMarked
package dev.sluice.scheduler.audit;

import org.jspecify.annotations.NullMarked;
