/** Tests of the check that asks an autoscaler for nodes. */
@NullMarked
package dev.sluice.lifecycle.provisioning;

import org.jspecify.annotations.NullMarked;
