@NullMarked
package dev.sluice.cli.doctor.multikueue;

import org.jspecify.annotations.NullMarked;
