/**
 * The part of a pod that decisions on quota and placement read; the rest of a template is not here.
 * Start at {@link dev.sluice.api.pod.PodSpec}.
 */
@NullMarked
package dev.sluice.api.pod;

import org.jspecify.annotations.NullMarked;
