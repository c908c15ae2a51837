/**
 * Hostile input: generated bodies, connections and stored objects against the program as it is
 * deployed, beside honest callers who must notice nothing. Start reading at {@link
 * dev.sluice.cli.hostile.HostileE2E} for processes and at {@link
 * dev.sluice.cli.hostile.EndpointFuzzTest} for many inputs without a network. {@code
 * docs/contributing/hardening.md} has the commands.
 */
@NullMarked
package dev.sluice.cli.hostile;

import org.jspecify.annotations.NullMarked;
