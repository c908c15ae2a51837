/**
 * What would become of jobs that are not there, and of others beside them, as values. Start at
 * {@link dev.sluice.see.whatif.WhatIfResult}.
 */
@NullMarked
package dev.sluice.see.whatif;

import org.jspecify.annotations.NullMarked;
