package dev.sluice.jobs.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the API server keeps of values in the template of a Workload: members that the schema of
 * Workloads names. The template of a job may have others: misspelt ones, where nothing checks it,
 * and those of a Kubernetes newer than the schema.
 */
public final class StoredMembers {
  /** The members of a container as in the schema; one without members of its own stays whole. */
  public static final String OF_CONTAINERS =
      """
      (args command env(name value valueFrom(configMapKeyRef(key name optional)
      fieldRef(apiVersion fieldPath) fileKeyRef(key optional path volumeName)
      resourceFieldRef(containerName divisor resource) secretKeyRef(key name optional)))
      envFrom(configMapRef(name optional) prefix secretRef(name optional)) image imagePullPolicy
      lifecycle(postStart(exec(command) httpGet(host httpHeaders(name value) path port scheme)
      sleep(seconds) tcpSocket(host port)) preStop(exec(command) httpGet(host httpHeaders(name
      value) path port scheme) sleep(seconds) tcpSocket(host port)) stopSignal)
      livenessProbe(exec(command) failureThreshold grpc(port service) httpGet(host
      httpHeaders(name value) path port scheme) initialDelaySeconds periodSeconds successThreshold
      tcpSocket(host port) terminationGracePeriodSeconds timeoutSeconds) name ports(containerPort
      hostIP hostPort name protocol) readinessProbe(exec(command) failureThreshold grpc(port
      service) httpGet(host httpHeaders(name value) path port scheme) initialDelaySeconds
      periodSeconds successThreshold tcpSocket(host port) terminationGracePeriodSeconds
      timeoutSeconds) resizePolicy(resourceName restartPolicy) resources(claims(name request)
      limits requests) restartPolicy restartPolicyRules(action exitCodes(operator values))
      securityContext(allowPrivilegeEscalation appArmorProfile(localhostProfile type)
      capabilities(add drop) privileged procMount readOnlyRootFilesystem runAsGroup runAsNonRoot
      runAsUser seLinuxOptions(level role type user) seccompProfile(localhostProfile type)
      windowsOptions(gmsaCredentialSpec gmsaCredentialSpecName hostProcess runAsUserName))
      startupProbe(exec(command) failureThreshold grpc(port service) httpGet(host httpHeaders(name
      value) path port scheme) initialDelaySeconds periodSeconds successThreshold tcpSocket(host
      port) terminationGracePeriodSeconds timeoutSeconds) stdin stdinOnce terminationMessagePath
      terminationMessagePolicy tty volumeDevices(devicePath name) volumeMounts(mountPath
      mountPropagation name readOnly recursiveReadOnly subPath subPathExpr) workingDir)
      """;

  /** The same for a toleration. */
  public static final String OF_TOLERATIONS =
      """
      (effect key operator tolerationSeconds value)
      """;

  private static final Pattern TOKEN = Pattern.compile("[()]|\\w+");
  private static final StoredMembers CONTAINERS = of(OF_CONTAINERS);
  private static final StoredMembers TOLERATIONS = of(OF_TOLERATIONS);

  private final Map<String, StoredMembers> members = new LinkedHashMap<>();

  private StoredMembers() {}

  private static StoredMembers of(String text) {
    StoredMembers root = new StoredMembers();
    root.read(TOKEN.matcher(text));
    return root;
  }

  private void read(Matcher tokens) {
    StoredMembers last = this;
    while (tokens.find() && !tokens.group().equals(")")) {
      if (tokens.group().equals("(")) {
        last.read(tokens);
      } else {
        last = new StoredMembers();
        members.put(tokens.group(), last);
      }
    }
  }

  /** What is kept of containers. */
  public static JsonNode ofContainers(JsonNode list) {
    return CONTAINERS.kept(list);
  }

  /** What is kept of tolerations. */
  public static JsonNode ofTolerations(JsonNode list) {
    return TOLERATIONS.kept(list);
  }

  private JsonNode kept(JsonNode value) {
    if (members.isEmpty()) {
      return value;
    }
    if (value.isArray()) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode();
      value.forEach(it -> list.add(kept(it)));
      return list;
    }
    if (!value.isObject()) {
      return value;
    }
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    members.forEach(
        (name, below) -> {
          if (value.has(name)) {
            object.set(name, below.kept(value.path(name)));
          }
        });
    return object;
  }
}
