/**
 * The quota engine in a thread of its own: changes of the cluster go in, decisions come out. Start
 * with {@link dev.sluice.scheduler.engine.EngineLoop}.
 */
@NullMarked
package dev.sluice.scheduler.engine;

import org.jspecify.annotations.NullMarked;
