@NullMarked
package dev.sluice.multicluster.drain;

import org.jspecify.annotations.NullMarked;
