/**
 * What must hold while parts of a cluster are killed: jobs flow through a real control plane whose
 * parts of ours are processes. Start with {@link dev.sluice.cli.outage.OutageE2E}; {@link
 * dev.sluice.cli.outage.Laws} says what must hold at each revision.
 */
@NullMarked
package dev.sluice.cli.outage;

import org.jspecify.annotations.NullMarked;
