/**
 * Measures what conversions cost: over HTTPS next to a server that only echoes, and in memory next
 * to a plain JSON library. Start at {@link dev.sluice.bench.ConversionsCommand}.
 */
@NullMarked
package dev.sluice.bench;

import org.jspecify.annotations.NullMarked;
