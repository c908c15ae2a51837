package dev.sluice.api.flavor;

import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.HubObject;
import dev.sluice.api.meta.ObjectMeta;

/** How the nodes of a data centre hang together. */
public record Topology(@Default("{}") ObjectMeta metadata, @Default("{}") TopologySpec spec)
    implements HubObject {}
