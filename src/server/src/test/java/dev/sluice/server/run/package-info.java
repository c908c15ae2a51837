/** Tests of the command run. */
@NullMarked
package dev.sluice.server.run;

import org.jspecify.annotations.NullMarked;
