@NullMarked
package dev.sluice.server.whatif;

import org.jspecify.annotations.NullMarked;
