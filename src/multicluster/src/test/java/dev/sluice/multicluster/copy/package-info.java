@NullMarked
package dev.sluice.multicluster.copy;

import org.jspecify.annotations.NullMarked;
