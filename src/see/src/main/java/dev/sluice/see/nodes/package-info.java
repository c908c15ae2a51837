/** What the nodes of flavors have, by domain of a topology. */
@NullMarked
package dev.sluice.see.nodes;

import org.jspecify.annotations.NullMarked;
