/** Specification of doctor: each thing that can be wrong has its finding and its remedy. */
@NullMarked
package dev.sluice.cli.doctor;

import org.jspecify.annotations.NullMarked;
