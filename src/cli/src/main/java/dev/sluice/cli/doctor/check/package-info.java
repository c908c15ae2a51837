/**
 * What every check of {@code doctor} has: the cluster that it asks, and the findings with their
 * remedies.
 */
@NullMarked
package dev.sluice.cli.doctor.check;

import org.jspecify.annotations.NullMarked;
