/**
 * Simulations on a live state: jobs that are not there, and queues with other quotas. Start at
 * {@link dev.sluice.server.whatif.WhatIf}.
 */
@NullMarked
package dev.sluice.server.whatif;

import org.jspecify.annotations.NullMarked;
