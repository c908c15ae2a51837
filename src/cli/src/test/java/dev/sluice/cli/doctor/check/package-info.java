@NullMarked
package dev.sluice.cli.doctor.check;

import org.jspecify.annotations.NullMarked;
