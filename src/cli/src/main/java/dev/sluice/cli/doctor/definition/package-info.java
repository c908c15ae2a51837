/** Whether the API server serves our kinds, and converts between their versions. */
@NullMarked
package dev.sluice.cli.doctor.definition;

import org.jspecify.annotations.NullMarked;
