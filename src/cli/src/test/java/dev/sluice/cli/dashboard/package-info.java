@NullMarked
package dev.sluice.cli.dashboard;

import org.jspecify.annotations.NullMarked;
