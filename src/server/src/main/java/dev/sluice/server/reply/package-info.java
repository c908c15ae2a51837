/** Answers of HTTP as values, for the view API and the dashboard. */
@NullMarked
package dev.sluice.server.reply;

import org.jspecify.annotations.NullMarked;
