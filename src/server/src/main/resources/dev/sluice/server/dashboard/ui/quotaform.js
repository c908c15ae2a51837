// A form for another quota of one ClusterQueue, which becomes an edit of a simulation.
import {html, useState} from './html.js';
import {path, usePoll} from './client.js';
import {change} from './router.js';
import {Loading, Nothing, Problem, Table} from './parts.js';
import {list, objects, resourceName, text} from './format.js';

const FIELDS = [
  ['nominalQuota', 'Nominal', '0'], ['borrowingLimit', 'Borrowing limit', 'no limit'],
  ['lendingLimit', 'Lending limit', 'no limit']];

/** The names of all ClusterQueues, in their order. */
const names = nodes => objects(nodes).flatMap(node => node.kind === 'ClusterQueue'
  ? [text(node.name)] : names(node.children)).sort();

/** What an edit is kept by: the numbers of group, flavor, and resource, and the field. */
const place = (at, field) => [...at, field].join();

/** The groups with what was edited; an empty limit is none. */
function edited(groups, edits) {
  return groups.map((group, g) => ({
    coveredResources: list(group.coveredResources),
    flavors: objects(group.flavors).map((flavor, f) => ({
      name: text(flavor.name),
      resources: objects(flavor.resources).map((quota, r) => {
        const changed = {name: text(quota.name)};
        for (const [field] of FIELDS) {
          const value = (edits[place([g, f, r], field)] ?? text(quota[field])).trim();
          if (value !== '' || field === 'nominalQuota') {
            changed[field] = value || '0';
          }
        }
        return changed;
      }),
    })),
  }));
}

export function QuotaForm({route, isAsking, ask}) {
  const standing = usePoll('standing', 5000);
  const all = names(standing.data?.items);
  const name = route.params.get('queue') ?? '';
  if (standing.error || all.length === 0) {
    return null; // a reader without that right can still paste manifests
  }
  return html`<section class="card whatif"><h2>Change a quota</h2>
    <div class="actions"><label>ClusterQueue<select value=${name}
      onChange=${event => change({queue: event.target.value})}>
      <option value="">Choose a queue</option>
      ${[...new Set([...all, ...(name ? [name] : [])])].map(it => html`<option key=${it} value=${it}>${it}</option>`)}
    </select></label></div>
    ${name && html`<${Quotas} key=${name} name=${name} isAsking=${isAsking} ask=${ask} />`}
  </section>`;
}

function Quotas({name, isAsking, ask}) {
  const {data, error} = usePoll(path(['clusterqueues', name, 'quotas']), 5000);
  const [edits, setEdits] = useState({});
  if (error) {
    return html`<${Problem} error=${error} />`;
  }
  if (!data) {
    return html`<${Loading} what="the quota" />`;
  }
  const groups = objects(data.resourceGroups);
  const rows = groups.flatMap((group, g) => objects(group.flavors).flatMap((flavor, f) =>
    objects(flavor.resources).map((quota, r) => ({at: [g, f, r], flavor, quota}))));
  if (rows.length === 0) {
    return html`<${Nothing}>The queue has no quota.<//>`;
  }
  const submit = event => {
    event.preventDefault();
    ask({resource: 'clustersimulations', spec: {edits: [{
      apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'ClusterQueue', metadata: {name},
      spec: {resourceGroups: edited(groups, edits)}}]}});
  };
  return html`<form class="whatif" onSubmit=${submit}>
    <${Table} label=${'Quota of ' + name} className="edits"><thead><tr><th scope="col">Resource</th>
      <th scope="col">Flavor</th>${FIELDS.map(([field, label]) => html`<th scope="col" key=${field}>${
      label}</th>`)}</tr></thead>
      <tbody>${rows.map(({at, flavor, quota}) => html`<tr key=${at}>
        <th scope="row">${resourceName(quota.name)}</th><td>${text(flavor.name)}</td>
        ${FIELDS.map(([field, label, none]) => html`<td key=${field}><input autocomplete="off" spellcheck=${false}
          aria-label=${`${label} of ${resourceName(quota.name)}, ${text(flavor.name)}`} placeholder=${none}
          value=${edits[place(at, field)] ?? text(quota[field])}
          onInput=${event => setEdits({...edits, [place(at, field)]: event.target.value})} /></td>`)}</tr>`)}
      </tbody><//>
    <div class="actions"><button type="button" onClick=${() => setEdits({})}>Reset</button>
      <button class="primary" disabled=${isAsking}>${isAsking ? 'Simulating …' : 'Simulate this quota'}</button></div>
  </form>`;
}
