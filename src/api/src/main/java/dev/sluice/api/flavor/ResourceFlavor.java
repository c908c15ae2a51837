package dev.sluice.api.flavor;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.HubObject;
import dev.sluice.api.meta.ObjectMeta;

/** A sort of nodes that quota is given on. */
public record ResourceFlavor(
    @Default("{}") ObjectMeta metadata, @Default("{}") ResourceFlavorSpec spec)
    implements HubObject {}
