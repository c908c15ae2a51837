/**
 * The whole program against a real API server: what users and controllers see of our kinds there.
 * Start reading at {@link dev.sluice.cli.apiserver.EveryVersionE2E}.
 */
@NullMarked
package dev.sluice.cli.apiserver;

import org.jspecify.annotations.NullMarked;
