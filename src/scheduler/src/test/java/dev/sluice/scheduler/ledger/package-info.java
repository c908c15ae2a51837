/** Tests of the ledger that is told over a socket. */
@NullMarked
package dev.sluice.scheduler.ledger;

import org.jspecify.annotations.NullMarked;
