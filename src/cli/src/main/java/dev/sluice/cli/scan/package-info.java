/**
 * The command scan: which known vulnerabilities the parts of a bill of materials have, by a
 * database on this machine. Start at {@link dev.sluice.cli.scan.ScanCommand}.
 */
@NullMarked
package dev.sluice.cli.scan;

import org.jspecify.annotations.NullMarked;
