/**
 * The ledger: which Workloads hold quota, sent to another process of this machine over a socket.
 * Start with {@link dev.sluice.scheduler.ledger.LedgerServer} and {@link
 * dev.sluice.scheduler.ledger.LedgerFollower}; {@link dev.sluice.scheduler.ledger.Line} is what
 * goes over it.
 */
@NullMarked
package dev.sluice.scheduler.ledger;

import org.jspecify.annotations.NullMarked;
