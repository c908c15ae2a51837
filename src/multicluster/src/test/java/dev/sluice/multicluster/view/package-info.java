@NullMarked
package dev.sluice.multicluster.view;

import org.jspecify.annotations.NullMarked;
