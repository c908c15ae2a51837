/** What the benchmark sends looks like what it says. Start at {@link CorpusTest}. */
@NullMarked
package dev.sluice.bench.objects;

import org.jspecify.annotations.NullMarked;
