/**
 * What this scheduler would have decided where another one decides, as values: each reservation and
 * each preemption that a watch shows is compared with the decision of an engine that follows. Start
 * at {@link dev.sluice.see.shadow.Shadow}.
 */
@NullMarked
package dev.sluice.see.shadow;

import org.jspecify.annotations.NullMarked;
