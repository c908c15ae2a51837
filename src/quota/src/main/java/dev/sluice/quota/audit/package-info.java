/**
 * What must always hold of a state, as code that names the object for which it does not. Start at
 * {@link dev.sluice.quota.audit.Audit}.
 */
@NullMarked
package dev.sluice.quota.audit;

import org.jspecify.annotations.NullMarked;
