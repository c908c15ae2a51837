/**
 * What an API server does with an object of ours by itself: it prunes and defaults it by the schema
 * of its version, validates it by that schema, and evaluates the rules in CEL that stand there.
 * Start reading at {@link dev.sluice.cli.schema.KindSchema}.
 */
@NullMarked
package dev.sluice.cli.schema;

import org.jspecify.annotations.NullMarked;
