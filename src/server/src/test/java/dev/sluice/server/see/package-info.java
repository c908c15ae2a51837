@NullMarked
package dev.sluice.server.see;

import org.jspecify.annotations.NullMarked;
