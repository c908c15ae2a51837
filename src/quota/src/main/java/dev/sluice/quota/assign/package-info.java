/**
 * The search for flavors: which one serves which resource of which PodSet, with how many pods, and
 * who would have to give way (reference: 4.4 to 4.8). Start at {@link
 * dev.sluice.quota.assign.Nominator}.
 */
@NullMarked
package dev.sluice.quota.assign;

import org.jspecify.annotations.NullMarked;
