@NullMarked
package dev.sluice.multicluster.sweep;

import org.jspecify.annotations.NullMarked;
