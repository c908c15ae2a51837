/** The controllers of the admission check that asks an autoscaler for nodes. */
@NullMarked
package dev.sluice.scheduler.provisioning;

import org.jspecify.annotations.NullMarked;
