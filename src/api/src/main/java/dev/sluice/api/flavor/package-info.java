/**
 * What quota is given on: sorts of nodes, and how the nodes hang together. Start at {@link
 * dev.sluice.api.flavor.ResourceFlavor}.
 */
@NullMarked
package dev.sluice.api.flavor;

import org.jspecify.annotations.NullMarked;
