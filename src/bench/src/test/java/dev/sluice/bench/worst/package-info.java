@NullMarked
package dev.sluice.bench.worst;

import org.jspecify.annotations.NullMarked;
