/** Tests of the command validate. */
@NullMarked
package dev.sluice.cli.validate;

import org.jspecify.annotations.NullMarked;
