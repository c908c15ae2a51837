@NullMarked
package dev.sluice.server.dashboard;

import org.jspecify.annotations.NullMarked;
