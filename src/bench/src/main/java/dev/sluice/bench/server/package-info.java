/**
 * The two servers that are compared, Sluice and one that only echoes, and the processes they run
 * in. Start at {@link dev.sluice.bench.server.ServerProcess}.
 */
@NullMarked
package dev.sluice.bench.server;

import org.jspecify.annotations.NullMarked;
