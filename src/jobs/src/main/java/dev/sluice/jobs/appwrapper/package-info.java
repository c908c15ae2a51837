/** The AppWrapper. */
@NullMarked
package dev.sluice.jobs.appwrapper;

import org.jspecify.annotations.NullMarked;
