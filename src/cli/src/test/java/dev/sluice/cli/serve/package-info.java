/** Tests of the command serve. */
@NullMarked
package dev.sluice.cli.serve;

import org.jspecify.annotations.NullMarked;
