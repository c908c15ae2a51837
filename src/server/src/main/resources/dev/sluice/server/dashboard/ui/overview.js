// The first page: all cohorts and ClusterQueues as a tree, with what they have and use.
import {html, useMemo, useState} from './html.js';
import {usePoll} from './client.js';
import {address, change, toClusterQueue, toLocalQueue} from './router.js';
import {Ago, Loading, Nothing, Problem, Rows, Sign, Table, Title} from './parts.js';
import {Legend, Quota} from './bars.js';
import {count, grouped, objects, resourceName, text} from './format.js';

const ROWS = 30;
const FLAVORS = 3;

/** All nodes, each before those below it, with the names of those above it. */
function flat(nodes, above = [], rows = []) {
  for (const node of objects(nodes)) {
    rows.push({node, above});
    flat(node.children, [...above, text(node.name)], rows);
  }
  return rows;
}

const isQueue = node => node.kind === 'ClusterQueue';
const id = ({node, above}) => [...above, text(node.kind), text(node.name)].join('/');

/** The rows that a filter leaves, with the cohorts above them. */
function filtered(rows, wanted, only) {
  const hits = ({node}) => text(node.name).toLowerCase().includes(wanted)
    && (only !== 'waiting' || count(node.waiting) > 0)
    && (only !== 'inactive' || Boolean(node.inactive));
  if (wanted === '' && only === '') {
    return rows;
  }
  const needed = new Set();
  rows.filter(hits).forEach(({above}) => above.forEach(name => needed.add(name)));
  return rows.filter(row => hits(row) || (!isQueue(row.node) && needed.has(text(row.node.name))));
}

export function Overview({route}) {
  const {data, error} = usePoll('standing');
  const wanted = (route.params.get('q') ?? '').toLowerCase();
  const only = route.params.get('only') ?? '';
  const [closed, setClosed] = useState(() => new Set());
  const [most, setMost] = useState(ROWS);
  const all = useMemo(() => flat(data?.items), [data]);
  const resources = useMemo(
    () => [...new Set(all.flatMap(({node}) => objects(node.quotas).map(it => text(it.resource))))], [all]);
  const rows = useMemo(() => filtered(all, wanted, only)
    .filter(({above}) => !above.some((_, i) => closed.has(above.slice(0, i + 1).join('/')))),
  [all, wanted, only, closed]);
  const shown = useMemo(() => rows.slice(0, most), [rows, most]);
  if (error) {
    return html`<${Title} name="Queues" />
      <${Problem} error=${error}>${error.status === 403 && html`<p>Without the right to see all
        queues you can open those of a namespace.</p>`}<//>
      <${OpenQueue} namespace=${route.params.get('namespace') ?? ''} />`;
  }
  if (!data) {
    return html`<${Title} name="Queues" /><${Loading} what="the queues" />`;
  }
  const toggle = row => setClosed(before => {
    const path = [...row.above, text(row.node.name)].join('/');
    const after = new Set(before);
    return (after.delete(path) || after.add(path)) && after;
  });
  return html`<${Title} name="Queues" />
    <${Summary} rows=${all} asOf=${data.asOf} />
    <${Filters} wanted=${route.params.get('q') ?? ''} only=${only} />
    ${all.length === 0 && html`<${Nothing}>The cluster has no ClusterQueue yet.<//>`}
    ${all.length > 0 && rows.length === 0 && html`<${Nothing}>No queue fits the filter.<//>`}
    ${rows.length > 0 && html`<div class="card flush">
      <${Table} label="Cohorts and ClusterQueues" className="tree">
        <thead><tr><th scope="col">Name</th><th scope="col" class="number">Waiting</th>
          <th scope="col" class="number">Running</th>
          ${resources.map(it => html`<th scope="col" key=${it}>${resourceName(it)}</th>`)}</tr></thead>
        <tbody><${Rows} items=${shown} row=${row => html`<${Row} key=${id(row)} row=${row}
          resources=${resources} isClosed=${closed.has([...row.above, text(row.node.name)].join('/'))}
          toggle=${() => toggle(row)} />`} /></tbody>
      <//>
      ${rows.length > most && html`<button class="wide" onClick=${() => setMost(most + ROWS)}>
        Show ${Math.min(ROWS, rows.length - most)} more of ${grouped(rows.length)}</button>`}
    </div><${Legend} />`}`;
}

function Summary({rows, asOf}) {
  const queues = rows.filter(({node}) => isQueue(node)).map(({node}) => node);
  const sum = name => queues.reduce((total, it) => total + count(it[name]), 0);
  const inactive = queues.filter(it => it.inactive).length;
  return html`<dl class="stats">
    <div><dt>Waiting</dt><dd>${grouped(sum('waiting'))}</dd></div>
    <div><dt>Running</dt><dd>${grouped(sum('holding'))}</dd></div>
    <div><dt>ClusterQueues</dt><dd>${grouped(queues.length)}</dd></div>
    <div><dt>Inactive</dt><dd class=${inactive > 0 ? 'isbad' : ''}>${
      inactive > 0 && html`<${Sign} name="bad" />`}${grouped(inactive)}</dd></div>
    <div><dt>Last change</dt><dd><${Ago} at=${asOf} suffix=" ago" /></dd></div>
  </dl>`;
}

function Filters({wanted, only}) {
  return html`<form class="filters" role="search" onSubmit=${event => event.preventDefault()}>
    <label class="unseen" for="q">Filter by name</label>
    <input id="q" type="search" placeholder="Filter by name" value=${wanted}
      onInput=${event => change({q: event.target.value})} />
    <div class="choice" role="group" aria-label="Which queues">
      ${[['', 'All'], ['waiting', 'Waiting'], ['inactive', 'Inactive']].map(([value, label]) => html`
        <button type="button" aria-pressed=${only === value}
          onClick=${() => change({only: value})}>${label}</button>`)}
    </div>
  </form>`;
}

function Row({row, resources, isClosed, toggle}) {
  const {node, above} = row;
  const name = text(node.name);
  const [all, setAll] = useState(false);
  const hasChildren = objects(node.children).length > 0;
  const pairs = resource => objects(node.quotas).filter(it => text(it.resource) === resource);
  const cell = resource => {
    const found = pairs(resource);
    return html`<td key=${resource} class="quotas">
      ${(all ? found : found.slice(0, FLAVORS)).map(pair => html`
        <${Quota} key=${text(pair.flavor)} pair=${pair} />`)}
      ${!all && found.length > FLAVORS && html`<button class="link" onClick=${() => setAll(true)}>
        ${found.length - FLAVORS} more flavors</button>`}</td>`;
  };
  return html`<tr class=${isQueue(node) ? 'queue' : 'cohort'}>
    <th scope="row"><div class="node" style=${{paddingInlineStart: above.length * 1.25 + 'rem'}}>
      ${isQueue(node)
        ? html`<span class="stem" /><a class="name" href=${toClusterQueue(name)}>${name}</a>`
        : html`<button class="toggle" aria-expanded=${!isClosed} disabled=${!hasChildren}
            aria-label=${(isClosed ? 'Open' : 'Close') + ' cohort ' + name} onClick=${toggle}><${Sign}
            name="open" /></button><span class="name">${name}</span><span class="kind">cohort</span>`}
      </div>${node.inactive && html`<p class="inactive" style=${{
        marginInlineStart: above.length * 1.25 + 1.5 + 'rem'}}><${Sign} name="bad" />Inactive: ${
        text(node.inactive)}</p>`}</th>
    <td class="number">${count(node.waiting) > 0
      ? html`<b>${grouped(count(node.waiting))}</b>` : html`<span class="muted">0</span>`}</td>
    <td class="number">${count(node.holding) > 0
      ? grouped(count(node.holding)) : html`<span class="muted">0</span>`}</td>
    ${resources.map(cell)}
  </tr>`;
}

/** For readers who may not see all queues. */
export function OpenQueue({namespace}) {
  const [place, setPlace] = useState({namespace, kind: 'localqueues', name: ''});
  const set = name => event => setPlace({...place, [name]: event.target.value});
  return html`<form class="card open" onSubmit=${event => {
    event.preventDefault();
    location.hash = place.kind === 'localqueues' ? toLocalQueue(place.namespace, place.name)
      : address(['namespaces', place.namespace, place.kind, place.name]);
  }}>
    <h2>Open a queue or a job</h2>
    <label>Namespace<input required value=${place.namespace} onInput=${set('namespace')} /></label>
    <label>Kind<select value=${place.kind} onChange=${set('kind')}>
      <option value="localqueues">LocalQueue</option><option value="workloads">Job or Workload</option>
    </select></label>
    <label>Name<input required value=${place.name} onInput=${set('name')} /></label>
    <button class="primary">Open</button>
  </form>`;
}
