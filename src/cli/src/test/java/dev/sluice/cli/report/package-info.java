@NullMarked
package dev.sluice.cli.report;

import org.jspecify.annotations.NullMarked;
