package dev.sluice.bench.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import java.util.List;
import java.util.random.RandomGenerator;

/** Cohorts below a parent, with one or two resource groups, fair sharing and a status. */
final class CohortMaker implements ObjectMaker {
  private static final List<String> FLAVORS = List.of("reserved", "on-demand", "spot");

  @Override
  public String kind() {
    return "Cohort";
  }

  @Override
  public List<ApiVersion> versions() {
    return List.of(ApiVersion.V1BETA1, ApiVersion.V1ALPHA1);
  }

  @Override
  public ObjectNode make(ApiVersion version, RandomGenerator random) {
    ObjectNode cohort = Skeleton.object(kind(), version);
    Skeleton.giveMetadata(cohort, "department-" + Skeleton.suffix(random), random);
    ObjectNode spec = cohort.putObject("spec");
    String parent = version == ApiVersion.V1ALPHA1 ? "parent" : "parentName";
    spec.put(parent, "company-" + random.nextInt(5));
    addGroup(spec, List.of("cpu", "memory"), random);
    if (random.nextInt(3) == 0) {
      addGroup(spec, List.of("nvidia.com/gpu"), random);
    }
    spec.putObject("fairSharing").put("weight", Integer.toString(random.nextInt(1, 5)));
    ObjectNode share = cohort.putObject("status").putObject("fairSharing");
    share.put("weightedShare", random.nextInt(1000));
    if (version == ApiVersion.V1BETA1 && random.nextInt(4) == 0) {
      addAdmissionFairSharing(share, random);
    }
    return cohort;
  }

  private static void addGroup(ObjectNode spec, List<String> resources, RandomGenerator random) {
    ObjectNode group = spec.withArray("resourceGroups").addObject();
    resources.forEach(group.putArray("coveredResources")::add);
    for (String flavor : FLAVORS.subList(random.nextInt(FLAVORS.size()), FLAVORS.size())) {
      ObjectNode quotas = group.withArray("flavors").addObject().put("name", flavor);
      for (String resource : resources) {
        ObjectNode quota = quotas.withArray("resources").addObject().put("name", resource);
        quota.put("nominalQuota", quantity(resource, random));
        quota.put("borrowingLimit", quantity(resource, random));
        quota.put("lendingLimit", quantity(resource, random));
      }
    }
  }

  private static String quantity(String resource, RandomGenerator random) {
    int amount = random.nextInt(1, 4000);
    return resource.equals("memory") ? amount + "Gi" : Integer.toString(amount);
  }

  /** What v1beta2 does not know, so that it is kept in an annotation. */
  private static void addAdmissionFairSharing(ObjectNode share, RandomGenerator random) {
    ObjectNode status = share.putObject("admissionFairSharingStatus");
    status.putObject("consumedResources").put("cpu", random.nextInt(9000) + "m");
    status.put("lastUpdate", Skeleton.time(random));
  }
}
