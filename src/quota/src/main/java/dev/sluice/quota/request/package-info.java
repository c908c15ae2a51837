/**
 * From the pods of a workload to the amounts that are counted: what one pod asks for as Kubernetes
 * adds it up, what limits and runtime classes make of it, what the configuration leaves out or
 * turns into something else, times the pods that are still wanted. Start at {@link
 * dev.sluice.quota.request.RequestReader}.
 */
@NullMarked
package dev.sluice.quota.request;

import org.jspecify.annotations.NullMarked;
