package dev.sluice.controlplane;

import dev.sluice.controlplane.ControlPlane.Part;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A program that starts etcd, prints its process id and port, and waits to be killed. */
final class StartsEtcdAndWaits {
  private StartsEtcdAndWaits() {}

  public static void main(String[] args) throws InterruptedException {
    Path folder = Path.of(args[0]);
    Path binaries = Binaries.ofThisProcess().obtain(Set.of(Part.ETCD));
    var launcher = new Launcher(binaries, folder, Credentials.in(folder), Duration.ofSeconds(20));
    var etcd = launcher.startEtcd();
    System.out.println(etcd.child().pid() + " " + etcd.port());
    boolean never = new CountDownLatch(1).await(1, TimeUnit.MINUTES);
    System.out.println("was not killed: " + never);
  }
}
