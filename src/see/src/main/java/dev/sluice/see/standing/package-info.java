/**
 * What each cohort and ClusterQueue has, uses, borrows, and lends. Start at {@link
 * dev.sluice.see.standing.Standings}.
 */
@NullMarked
package dev.sluice.see.standing;

import org.jspecify.annotations.NullMarked;
