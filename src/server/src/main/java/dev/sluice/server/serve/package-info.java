/** The command serve: the webhook server of a cluster, which also writes its CA bundle there. */
@NullMarked
package dev.sluice.server.serve;

import org.jspecify.annotations.NullMarked;
