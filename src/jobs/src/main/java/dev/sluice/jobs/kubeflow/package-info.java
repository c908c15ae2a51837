/** The training jobs of Kubeflow, one kind per framework. */
@NullMarked
package dev.sluice.jobs.kubeflow;

import org.jspecify.annotations.NullMarked;
