@NullMarked
package dev.sluice.multicluster.protocol;

import org.jspecify.annotations.NullMarked;
