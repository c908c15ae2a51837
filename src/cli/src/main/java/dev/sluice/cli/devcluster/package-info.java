/** The command dev-cluster: a real control plane on loopback with Sluice installed. */
@NullMarked
package dev.sluice.cli.devcluster;

import org.jspecify.annotations.NullMarked;
