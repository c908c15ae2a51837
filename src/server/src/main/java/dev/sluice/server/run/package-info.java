/** The command run: the server in one process, without a cluster. */
@NullMarked
package dev.sluice.server.run;

import org.jspecify.annotations.NullMarked;
