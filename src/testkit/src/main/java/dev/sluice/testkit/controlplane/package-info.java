/**
 * A real control plane on loopback: etcd, the API server, and where asked for the controller
 * manager, the scheduler and simulated nodes. Linux and macOS; needs a POSIX shell.
 *
 * <p>Start reading at {@link dev.sluice.testkit.controlplane.ControlPlane}; tests take one by
 * {@link dev.sluice.testkit.controlplane.NeedsControlPlane}. {@link
 * dev.sluice.testkit.controlplane.Binaries} finds or builds the programs.
 */
@NullMarked
package dev.sluice.testkit.controlplane;

import org.jspecify.annotations.NullMarked;
