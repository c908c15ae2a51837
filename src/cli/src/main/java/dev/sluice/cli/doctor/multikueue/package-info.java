/** Whether the workers of a manager of MultiKueue can be reached and have what is sent to them. */
@NullMarked
package dev.sluice.cli.doctor.multikueue;

import org.jspecify.annotations.NullMarked;
