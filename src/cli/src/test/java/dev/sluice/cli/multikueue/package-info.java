@NullMarked
package dev.sluice.cli.multikueue;

import org.jspecify.annotations.NullMarked;
