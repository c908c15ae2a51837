@NullMarked
package dev.sluice.scheduler.recorder;

import org.jspecify.annotations.NullMarked;
