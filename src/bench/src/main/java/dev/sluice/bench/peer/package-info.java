/** Several programs under one benchmark runner of somebody else, in turn. */
@NullMarked
package dev.sluice.bench.peer;

import org.jspecify.annotations.NullMarked;
