/** What every command line of Sluice shares: exit codes, messages of failures, the version. */
@NullMarked
package dev.sluice.server.program;

import org.jspecify.annotations.NullMarked;
