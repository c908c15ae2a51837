/** The StatefulSet, whose Pods form one group. */
@NullMarked
package dev.sluice.jobs.statefulset;

import org.jspecify.annotations.NullMarked;
