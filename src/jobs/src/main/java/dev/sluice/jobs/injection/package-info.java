/** What an admission adds to Pod templates, and how templates are restored. */
@NullMarked
package dev.sluice.jobs.injection;

import org.jspecify.annotations.NullMarked;
