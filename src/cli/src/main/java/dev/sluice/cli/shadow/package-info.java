/** {@code sluice shadow}: what we would decide where another scheduler decides. */
@NullMarked
package dev.sluice.cli.shadow;

import org.jspecify.annotations.NullMarked;
