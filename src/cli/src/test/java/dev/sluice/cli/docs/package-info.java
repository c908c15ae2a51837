/** Tests of the pages: their words, their links, their commands, and what is generated for them. */
@NullMarked
package dev.sluice.cli.docs;

import org.jspecify.annotations.NullMarked;
