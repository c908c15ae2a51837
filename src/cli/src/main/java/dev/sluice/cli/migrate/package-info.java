/**
 * The command migrate: makes the API server store every object again at the storage version, page
 * by page, so that it can be stopped and started again at any time. Start at {@link
 * dev.sluice.cli.migrate.Migration}; what survives a kill is a {@link
 * dev.sluice.cli.migrate.Checkpoint}.
 */
@NullMarked
package dev.sluice.cli.migrate;

import org.jspecify.annotations.NullMarked;
