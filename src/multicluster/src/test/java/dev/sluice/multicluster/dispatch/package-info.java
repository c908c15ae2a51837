@NullMarked
package dev.sluice.multicluster.dispatch;

import org.jspecify.annotations.NullMarked;
