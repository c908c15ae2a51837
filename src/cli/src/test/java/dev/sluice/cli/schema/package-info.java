/** Tests of what an API server does by itself. */
@NullMarked
package dev.sluice.cli.schema;

import org.jspecify.annotations.NullMarked;
