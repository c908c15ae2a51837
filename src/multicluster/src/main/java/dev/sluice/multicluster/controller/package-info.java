/**
 * Makes the plans of MultiKueue come true: reads what they rest on, sends their writes to this
 * cluster and, each from a queue of its own, to the workers. Start with {@link
 * dev.sluice.multicluster.controller.DispatchController}.
 */
@NullMarked
package dev.sluice.multicluster.controller;

import org.jspecify.annotations.NullMarked;
