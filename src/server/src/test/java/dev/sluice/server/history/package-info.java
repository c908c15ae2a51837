@NullMarked
package dev.sluice.server.history;

import org.jspecify.annotations.NullMarked;
