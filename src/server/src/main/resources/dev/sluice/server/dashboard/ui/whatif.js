// What would happen: manifests are simulated in the cluster as it is now, and nothing is stored.
import {html, useRef, useState} from './html.js';
import {path, simulate} from './client.js';
import {change, toWorkload} from './router.js';
import {Nothing, Problem, State, Table, Title, WorkloadName} from './parts.js';
import {Parts} from './bars.js';
import {QuotaForm} from './quotaform.js';
import {amount, list, number, objects, resourceName, text} from './format.js';

const GROUP = 'kueue.x-k8s.io/';
const CLUSTER_WIDE = new Set([
  'ClusterQueue', 'Cohort', 'ResourceFlavor', 'Topology', 'WorkloadPriorityClass', 'AdmissionCheck',
]);
const EXAMPLE = `apiVersion: batch/v1
kind: Job
metadata:
  name: try
  labels: {kueue.x-k8s.io/queue-name: user-queue}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: busybox
        resources: {requests: {cpu: "4"}}
`;

/** What cannot be simulated is said in the words of an answer. */
const wrong = message => ({status: 0, message});

/** The question of these manifests: its resource and its spec, or an error. */
async function question(manifests, namespace) {
  let documents;
  try {
    const yaml = await import('./vendor/js-yaml.mjs');
    documents = yaml.loadAll(manifests, {schema: yaml.CORE_SCHEMA}).flatMap(
      (/** @type {any} */ it) => it?.kind === 'List' ? list(it.items) : [it]).filter(it => it != null);
  } catch (e) {
    return {error: wrong('The manifests are no YAML: ' + text(/** @type {Error} */ (e)?.message))};
  }
  if (documents.length === 0 || documents.some(it => typeof it !== 'object' || !it.kind)) {
    return {error: wrong('Each document needs apiVersion, kind, and metadata.')};
  }
  const objects = [];
  const edits = [];
  for (const document of documents) {
    const isEdit = text(document.apiVersion).startsWith(GROUP) && document.kind !== 'Workload';
    const metadata = {...document.metadata};
    delete metadata.managedFields;
    if (!metadata.namespace && !(isEdit && CLUSTER_WIDE.has(document.kind))) {
      metadata.namespace = namespace;
    }
    (isEdit ? edits : objects).push({...document, metadata});
  }
  const namespaces = [...new Set(objects.map(it => it.metadata.namespace))];
  return {
    resource: edits.length === 0 && namespaces.length === 1
      ? path(['namespaces', namespaces[0], 'simulations']) : 'clustersimulations',
    spec: {objects, edits},
  };
}

export function WhatIf({route}) {
  const namespace = route.params.get('namespace') ?? 'default';
  const [manifests, setManifests] = useState('');
  const [answer, setAnswer] = useState(
    /** @type {{status?: any, error?: import('./client.js').Failure}|null} */ (null));
  const [isAsking, setAsking] = useState(false);
  const result = useRef(/** @type {HTMLElement|null} */ (null));
  const ask = async asking => {
    setAsking(true);
    const asked = await asking;
    setAnswer(asked.error ? asked : await simulate(asked.resource, asked.spec));
    setAsking(false);
    result.current?.focus();
  };
  return html`<${Title} name="What if" />
    <p class="lead">Change a quota, or paste jobs or queues as they should be. They are tried in the cluster as it is
      now. Nothing is stored.</p>
    <${QuotaForm} route=${route} isAsking=${isAsking} ask=${ask} />
    <form class="card whatif" onSubmit=${event => {
      event.preventDefault();
      ask(question(manifests, namespace));
    }}>
      <label for="manifests">Manifests (YAML or JSON)</label>
      <textarea id="manifests" spellcheck=${false} rows="14" required value=${manifests}
        onInput=${event => setManifests(event.target.value)} />
      <div class="actions">
        <label>Namespace of objects without one<input value=${namespace}
          onInput=${event => change({namespace: event.target.value})} /></label>
        <button type="button" onClick=${() => setManifests(EXAMPLE)}>Example</button>
        <button class="primary" disabled=${isAsking}>${isAsking ? 'Simulating …' : 'Simulate'}</button>
      </div>
    </form>
    <div class="result" ref=${result} tabindex="-1" aria-live="polite">
      ${answer?.error && html`<${Problem} error=${answer.error} />`}
      ${answer?.status && html`<${Result} status=${answer.status} />`}
    </div>`;
}

function Result({status}) {
  const outcomes = objects(status.outcomes);
  const delayed = objects(status.delayed);
  const usage = objects(status.usage);
  return html`
    ${status.truncated && html`<p class="card notice">The time was over before all was found out.</p>`}
    ${outcomes.length > 0 && html`<section class="card"><h2>Outcome</h2>
      ${outcomes.map((outcome, i) => html`<${Outcome} key=${i} outcome=${outcome} />`)}</section>`}
    ${outcomes.length === 0 && delayed.length === 0 && html`<section class="card"><h2>Outcome</h2>
      <${Nothing}>Nobody would lose quota.<//></section>`}
    ${delayed.length > 0 && html`<section class="card flush"><div class="bar-of-table">
      <h2>Who would lose quota</h2></div><${Table} label="Who would lose quota">
      <thead><tr><th scope="col">Workload</th><th scope="col">Now</th><th scope="col">Then</th></tr></thead>
      <tbody>${delayed.map((it, i) => html`<tr key=${i}><th scope="row"><${Named} item=${it} /></th>
        <td><${State} value=${it.was} /></td><td><${State} value=${it.now} /></td></tr>`)}</tbody><//>
      </section>`}
    ${usage.length > 0 && html`<section class="card flush"><div class="bar-of-table">
      <h2>Use before and after</h2></div><${Table} label="Use before and after">
      <thead><tr><th scope="col">ClusterQueue</th><th scope="col">Resource</th>
        <th scope="col" class="wide-bar"><span class="unseen">Use</span></th>
        <th scope="col" class="number">Before</th><th scope="col" class="number">After</th></tr></thead>
      <tbody>${usage.map((it, i) => html`<${Change} key=${i} item=${it} />`)}</tbody><//></section>`}`;
}

const Named = ({item}) => html`<${WorkloadName} item=${item} href=${item.namespace == null ? ''
  : toWorkload(text(item.namespace), text(item.name))} />`;

function Outcome({outcome}) {
  const object = outcome.object ?? {};
  const preempts = objects(outcome.preempts);
  const remedies = objects(outcome.remedies);
  return html`<article class="outcome"><h3><span>${text(object.kind)} <span class="muted">${
      text(object.namespace)}/</span>${text(object.name)}</span><${State} value=${outcome.answer} /></h3>
    ${outcome.message && html`<p>${text(outcome.message)}</p>`}
    ${objects(outcome.podSets).map(it => html`<p key=${text(it.name)}>${text(it.count)}${
      it.count === 1 ? ' pod' : ' pods'} of PodSet ${text(it.name)}: ${Object.entries(it.flavors ?? {}).map(([resource, flavor]) =>
      resourceName(resource) + ' of ' + text(flavor)).join(', ')}</p>`)}
    ${preempts.length > 0 && html`<p>Evicts ${preempts.map((it, i) => html`${i > 0 ? ', ' : ''}<${Named}
      item=${it} />`)}</p>`}
    ${remedies.length > 0 && html`<p>What would help:</p><ul class="plain">${remedies.map(it => html`
      <li key=${text(it.change)}><b>${text(it.change)}</b> ${text(it.effect)}</li>`)}</ul>`}
  </article>`;
}

function Change({item}) {
  const shown = value => amount(value, item.resource);
  const [before, after] = [number(item.before) || 0, number(item.after) || 0];
  const whole = Math.max(before, after);
  return html`<tr><th scope="row">${text(item.clusterQueue)}</th>
    <td>${resourceName(item.resource)} <span class="muted">${text(item.flavor)}</span></td>
    <td class="two"><${Parts} whole=${whole} parts=${[['before', before]]} label=${'before: ' + shown(item.before)} />
      <${Parts} whole=${whole} parts=${[['own', after]]} label=${'after: ' + shown(item.after)} /></td>
    <td class="number">${shown(item.before)}</td><td class="number"><b>${shown(item.after)}</b></td></tr>`;
}
