/** Tests of the command serve. */
@NullMarked
package dev.sluice.server.serve;

import org.jspecify.annotations.NullMarked;
