package dev.sluice.multicluster;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.multicluster.controller.DispatchController;
import dev.sluice.multicluster.controller.DispatchSettings;
import dev.sluice.multicluster.link.ClusterCheckController;
import dev.sluice.multicluster.link.LinkTimes;
import dev.sluice.multicluster.link.MultiKueueClusterController;
import dev.sluice.multicluster.link.ReleaseController;
import dev.sluice.multicluster.link.Workers;
import dev.sluice.multicluster.view.WorkerKinds;
import dev.sluice.scheduler.ControllerFactory;
import dev.sluice.scheduler.ControllerPorts;
import dev.sluice.scheduler.work.Controller;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The controllers of MultiKueue, beside those of the scheduler. */
public final class MultiKueue implements ControllerFactory {
  private static final Logger LOG = LoggerFactory.getLogger(MultiKueue.class);

  /** Where kubeconfigs of workers are mounted. */
  private static final Path FOLDER = Path.of("/etc/multikueue/kubeconfigs");

  private final Configuration configuration;
  private final Extensions extensions;
  private final Path folder;
  private final LinkTimes times;
  private final JobSettings jobs;

  /** Creates them from a configuration and its extensions. */
  public MultiKueue(Configuration configuration, Extensions extensions) {
    this(configuration, extensions, FOLDER, LinkTimes.DEFAULT);
  }

  /**
   * As a configuration says, for a place other than a Pod.
   *
   * @param folder where files with kubeconfigs are
   */
  public MultiKueue(
      Configuration configuration, Extensions extensions, Path folder, LinkTimes times) {
    this.configuration = configuration;
    this.extensions = extensions;
    this.folder = folder;
    this.times = times;
    this.jobs = JobSettings.of(configuration, extensions);
  }

  @Override
  public List<Controller> create(ControllerPorts ports) {
    if (!configuration.featureGates().isOn(FeatureGate.MULTI_KUEUE)) {
      LOG.info("MultiKueue is off: its clusters and admission checks stay as they are");
      return List.of(new ReleaseController(ports));
    }
    Workers workers = new Workers();
    return List.of(
        new DispatchController(
            ports, workers, jobs, DispatchSettings.of(configuration, extensions, jobs)),
        new MultiKueueClusterController(
            ports,
            WorkerKinds.of(configuration.scheduling().multiKueue().origin(), jobs),
            configuration.namespace(),
            folder,
            configuration.featureGates().isOn(FeatureGate.MULTI_KUEUE_KUBE_CONFIG_PATH_VALIDATION),
            times,
            workers),
        new ClusterCheckController(ports));
  }
}
