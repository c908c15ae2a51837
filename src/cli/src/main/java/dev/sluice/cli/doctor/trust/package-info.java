/** Whether the API server can trust the servers: bundles, handshakes, and the shared authority. */
@NullMarked
package dev.sluice.cli.doctor.trust;

import org.jspecify.annotations.NullMarked;
