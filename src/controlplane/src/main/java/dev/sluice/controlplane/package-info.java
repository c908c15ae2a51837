/**
 * A real control plane on loopback: etcd, the API server, and where asked for the controller
 * manager, the scheduler and simulated nodes. Linux and macOS; needs a POSIX shell.
 *
 * <p>Start reading at {@link dev.sluice.controlplane.ControlPlane}; {@link
 * dev.sluice.controlplane.Binaries} finds or builds the programs, {@link
 * dev.sluice.controlplane.ApiClient} speaks to the API server.
 */
@NullMarked
package dev.sluice.controlplane;

import org.jspecify.annotations.NullMarked;
