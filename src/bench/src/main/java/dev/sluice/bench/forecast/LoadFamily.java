package dev.sluice.bench.forecast;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A kind of load. Each is so heavy that jobs wait most of the time, in waves of some hours. */
public enum LoadFamily {
  /** Six kinds of jobs, which come one by one. */
  STEADY("steady") {
    @Override
    List<Job> jobs(LoadWorld world, SplittableRandom random, int count) {
      return stream(world, new Draws(random), count, 0.3, 600, List.of("q"), 0, 1);
    }
  },
  /** Every half hour a CronJob brings 24 jobs at once, beside some that come one by one. */
  CRON_BURSTS("CronJob bursts") {
    @Override
    List<Job> jobs(LoadWorld world, SplittableRandom random, int count) {
      Draws draws = new Draws(random);
      List<Job> jobs =
          new ArrayList<>(stream(world, draws, count / 3, 0.3, 1_200, List.of("q"), 0, 0.65));
      double end = world.secondsOf(jobs.getLast().arrives());
      for (double at = 900; at < end; at += 1_800) {
        for (int i = 0; i < 24; i++) {
          double seconds = draws.logNormal(660, 0.25);
          jobs.add(world.job("q", "burst", at + i * 0.1, 1, 1, 0, seconds, ""));
        }
      }
      return jobs;
    }
  },
  /** Most jobs are short, and a few take nearly all of the time. */
  HEAVY_TAILED("heavy-tailed") {
    @Override
    List<Job> jobs(LoadWorld world, SplittableRandom random, int count) {
      return stream(world, new Draws(random), count, 1.4, 600, List.of("q"), 0, 1);
    }
  },
  /** Two queues of a cohort that lend to each other and take back; some jobs have priority. */
  PREEMPTING("preempting cohorts") {
    @Override
    List<Job> jobs(LoadWorld world, SplittableRandom random, int count) {
      return stream(world, new Draws(random), count, 0.4, 600, List.of("q", "r"), 0.12, 1);
    }
  },
  /** Gangs whose pods have to be in one rack. */
  TOPOLOGY("topology") {
    @Override
    List<Job> jobs(LoadWorld world, SplittableRandom random, int count) {
      Draws draws = new Draws(random);
      List<Job> jobs = new ArrayList<>();
      double at = 0;
      for (int i = 0; i < count; i++) {
        int kind = draws.below(5);
        int pods = 1 << draws.below(4);
        double seconds = draws.logNormal(400 + 150.0 * kind, 0.35);
        at += draws.exponential(wave(at, 743 * 3.75 / 64 * 1.1));
        jobs.add(world.job("q", "kind-" + kind, at, pods, 4, 0, seconds, "rack"));
      }
      return jobs;
    }
  };

  /** The length of a wave in seconds: more comes in its first half than there is room for. */
  private static final double WAVE = 4 * 3600.0;

  private final String text;

  LoadFamily(String text) {
    this.text = text;
  }

  /** As tables name it. */
  public String text() {
    return text;
  }

  /** So many jobs or a few more, in whatever order. */
  abstract List<Job> jobs(LoadWorld world, SplittableRandom random, int count);

  /** The mean interval at that time. */
  private static double wave(double at, double interval) {
    return at % WAVE < WAVE / 2 ? interval * 0.75 : interval * 1.2;
  }

  private static List<Job> stream(
      LoadWorld world,
      Draws draws,
      int count,
      double sigma,
      double median,
      List<String> queues,
      double urgent,
      double load) {
    List<Job> jobs = new ArrayList<>();
    double mean = median * Math.exp(sigma * sigma / 2);
    // 32 cores in each queue; jobs take 2.5 of them on average
    double interval = mean * 2.5 / (32.0 * queues.size() * load);
    double at = 0;
    for (int i = 0; i < count; i++) {
      int kind = draws.below(6);
      int cores = 1 + draws.below(4);
      double seconds = draws.logNormal(median * (0.5 + 0.2 * kind), sigma);
      at += draws.exponential(wave(at, interval));
      jobs.add(
          world.job(
              queues.get(draws.below(queues.size())),
              "kind-" + kind,
              at,
              1,
              cores,
              draws.chance(urgent) ? 100 : 0,
              seconds,
              ""));
    }
    return jobs;
  }

  /** Numbers drawn for jobs. */
  private record Draws(SplittableRandom random) {
    double logNormal(double median, double sigma) {
      return Math.max(5, median * Math.exp(sigma * random.nextGaussian()));
    }

    double exponential(double mean) {
      return -mean * Math.log(1 - random.nextDouble());
    }

    int below(int bound) {
      return random.nextInt(bound);
    }

    boolean chance(double part) {
      return random.nextDouble() < part;
    }
  }
}
