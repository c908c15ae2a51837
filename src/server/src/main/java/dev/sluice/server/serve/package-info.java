/** The command serve: the server in a cluster, which is also told whom to trust. */
@NullMarked
package dev.sluice.server.serve;

import org.jspecify.annotations.NullMarked;
