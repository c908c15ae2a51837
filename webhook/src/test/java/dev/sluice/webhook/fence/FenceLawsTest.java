package dev.sluice.webhook.fence;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static dev.sluice.webhook.fence.Quotas.holding;
import static dev.sluice.webhook.fence.Quotas.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.rules.settings.GuardMode;
import dev.sluice.testkit.Tier;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two honest writers that both believe to lead, a forger, and a view that lags by less than a
 * second, in a random order: what the fence must keep in all of them.
 */
class FenceLawsTest {
  private static final int QUOTA = 8;
  private static final int STEPS = 4_000;
  private static final Duration STEP = Duration.ofMillis(10);

  static LongStream seeds() {
    return LongStream.range(0, Tier.number(6, 12));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void honestReservationsNeverExceedTheQuotaWhateverIsForged(long seed) {
    World world = new World(seed);

    for (int step = 0; step < STEPS; step++) {
      world.step(true);

      assertThat(world.reserved()).as("at step " + step).isLessThanOrEqualTo(QUOTA);
      assertThat(world.fenced.unseenReservations())
          .isLessThanOrEqualTo(UnseenReservations.MOST_UNCONFIRMED + world.created);
    }
    assertThat(world.stored).as("reservations that came through").isGreaterThan(50);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anHonestReservationThatFitsIsLetThroughWithinASecondWhateverIsForged(long seed) {
    World world = new World(seed);
    for (int step = 0; step < STEPS / 4; step++) {
      world.step(true);
    }
    for (int step = 0; step < 2_000; step++) { // longer than what failed is waited for
      world.step(false);
    }

    for (int i = 0; i < 20; i++) {
      Stored late = world.create(QUOTA - world.reserved());
      if (late.cpu == 0) {
        break;
      }
      int asked = 0;
      int most = 100 + world.mostLag; // a second from when the view shows it at the latest
      while (!world.letsThrough(late) && asked <= most) {
        asked++;
        world.step(false);
      }
      assertThat(asked).as("steps of " + STEP).isLessThanOrEqualTo(most);
      world.delete(late);
      for (int step = world.random.nextInt(600); step >= 0; step--) {
        world.step(false);
      }
    }
  }

  /** A Workload as the API server has it. */
  private static final class Stored {
    private final String name;
    private final int cpu;
    private int version;
    private boolean holds;
    private boolean gone;

    private Stored(String name, int version, int cpu) {
      this.name = name;
      this.version = version;
      this.cpu = cpu;
    }

    private JsonNode json() {
      return holds ? holding(name, version, "a", cpu) : waiting(name, version);
    }
  }

  /** A write that was let through: it is stored later if its Workload is still at that version. */
  private record Write(Stored workload, int base, int at, boolean fails) {
    boolean isVoid() {
      return workload.gone || workload.version != base;
    }
  }

  private record Event(int at, Runnable shown) {}

  private static final class World {
    private final Random random;
    private final AtomicLong nanos = new AtomicLong();
    private final Quotas quotas = new Quotas().queue("a", "", QUOTA, "");
    private final FencedQuotaView fenced =
        new FencedQuotaView(EngineConfiguration.defaults(), GuardMode.DENY, quotas, nanos::get);
    private final Map<String, Stored> workloads = new TreeMap<>();
    private final List<Write> writes = new ArrayList<>();
    private final Deque<Event> watch = new ArrayDeque<>();
    private final Deque<Event> engine = new ArrayDeque<>();
    private final int mostLag;
    private int now;
    private int version = 1;
    private int created;
    private int stored;

    private World(long seed) {
      this.random = new Random(seed);
      this.mostLag = 1 + random.nextInt(80);
    }

    private int reserved() {
      return workloads.values().stream().mapToInt(it -> holdsOrMay(it) ? it.cpu : 0).sum();
    }

    private boolean holdsOrMay(Stored one) {
      return one.holds || writes.stream().anyMatch(it -> it.workload == one && !it.isVoid());
    }

    private void step(boolean honestWritersAreBusy) {
      now++;
      nanos.addAndGet(STEP.toNanos());
      store();
      show(watch);
      show(engine);
      if (honestWritersAreBusy) {
        busy();
      }
      forge();
    }

    private void busy() {
      if (random.nextInt(8) == 0) {
        create(1 + random.nextInt(4));
      }
      List<Stored> all = List.copyOf(workloads.values());
      for (int writer = 0; writer < 2 && !all.isEmpty(); writer++) {
        Stored one = all.get(random.nextInt(all.size()));
        if (!one.holds && letsThrough(one)) {
          int takes = random.nextInt(10) == 0 ? random.nextInt(400) : random.nextInt(20);
          writes.add(new Write(one, one.version, now + takes, random.nextInt(20) == 0));
        }
      }
      for (Stored one : all) {
        int fate = random.nextInt(400);
        if (fate < 6) {
          delete(one);
        } else if (fate < 9 && one.holds) { // it gives back
          one.holds = false;
          write(one);
        } else if (fate < 12) { // another client writes another field
          write(one);
        }
      }
    }

    private Stored create(int cpu) {
      Stored one = new Stored("w-" + random.nextInt(12) + "-" + created++, 0, cpu);
      workloads.put(one.name, one);
      write(one);
      return one;
    }

    private void write(Stored one) {
      one.version = ++version;
      JsonNode json = one.json();
      tell(() -> quotas.watch(json), () -> quotas.count(json));
    }

    private void delete(Stored one) {
      workloads.remove(one.name);
      one.gone = true;
      one.holds = false;
      long deletion = ++version;
      tell(() -> quotas.watchGone(one.name, deletion), () -> quotas.countGone(one.name));
    }

    /** The watch shows it within its lag, in order, and the quotas some moments later. */
    private void tell(Runnable seen, Runnable counted) {
      watch.add(
          new Event(
              now + random.nextInt(mostLag),
              () -> {
                seen.run();
                engine.add(new Event(now + random.nextInt(10), counted));
              }));
    }

    private void show(Deque<Event> events) {
      while (!events.isEmpty() && events.getFirst().at() <= now) {
        events.removeFirst().shown().run();
      }
    }

    private void store() {
      for (Write write : List.copyOf(writes)) {
        if (write.isVoid() || (write.at() <= now && write.fails())) {
          writes.remove(write);
        } else if (write.at() <= now) {
          writes.remove(write);
          write.workload().holds = true;
          write(write.workload());
          stored++;
        }
      }
    }

    private boolean letsThrough(Stored one) {
      JsonNode now = holding(one.name, one.version, "a", one.cpu);
      return fenced.reserve(waiting(one.name, one.version), now, false).isEmpty();
    }

    /** Of Workloads that are nowhere, and of real ones at versions or with uids they never had. */
    private void forge() {
      List<Stored> all = List.copyOf(workloads.values());
      for (int i = random.nextInt(3); i > 0; i--) {
        boolean isReal = !all.isEmpty() && random.nextBoolean();
        String name =
            isReal ? all.get(random.nextInt(all.size())).name : "none-" + random.nextInt();
        int ahead =
            random.nextBoolean() ? 1 + random.nextInt(5) : 1_000_000 + random.nextInt(1_000);
        int base = random.nextInt(4) == 0 ? random.nextInt(version) : version + ahead;
        JsonNode old = waiting(name, base);
        JsonNode now = holding(name, base, "a", 1 + random.nextInt(QUOTA));
        if (base <= version && isReal) { // else it could be true
          now = dressed(now);
        }
        fenced.reserve(old, now, random.nextInt(5) == 0);
      }
    }

    private static JsonNode dressed(JsonNode workload) {
      return json(workload.toString().replace("\"uid-", "\"other-"));
    }
  }
}
