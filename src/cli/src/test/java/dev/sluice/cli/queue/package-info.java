@NullMarked
package dev.sluice.cli.queue;

import org.jspecify.annotations.NullMarked;
