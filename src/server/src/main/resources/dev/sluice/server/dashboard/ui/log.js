// The log: what has happened last, the newest first. Rows stay where they are; what is new waits
// behind a button.
import {html, useEffect, useMemo, useState} from './html.js';
import {path, usePoll} from './client.js';
import {address, change, toClusterQueue, toLocalQueue, toWorkload} from './router.js';
import {Ago, Loading, Nothing, Problem, Rows, Sign, Table, Title, WorkloadName} from './parts.js';
import {clock, objects, text, words} from './format.js';

const PAGE = 80; // an entry has 15 to 17 elements, and a page is to have 1,500 at most
const FILTERS = [['queue', 'Queue', 'name, or ns/name'],
  ['workload', 'Workload', 'part of ns/name'], ['reason', 'Step or reason', 'such as Preempted'],
  ['preemptor', 'Preempted by', 'part of ns/name']];

const STEPS = {
  Queued: ['wait', 'Queued'],
  Reserved: ['good', 'Got quota'],
  Admitted: ['good', 'Admitted'],
  Evicted: ['bad', 'Evicted'],
  Continued: ['wait', 'Goes on with other amounts'],
  Released: ['wait', 'Gave quota back'],
  Finished: ['good', 'Finished'],
  Gone: ['off', 'Deleted'],
};

export function Log({route}) {
  const param = name => route.params.get(name) ?? '';
  const namespace = param('namespace');
  const before = param('before');
  const query = Object.entries({limit: PAGE, before, ...Object.fromEntries(FILTERS.map(([it]) => [it, param(it)]))})
    .filter(([, value]) => value !== '').map(([name, value]) => name + '=' + encodeURIComponent(value)).join('&');
  const resource = (namespace ? path(['namespaces', namespace, 'log']) : 'clusterlog') + '?' + query;
  const {data, error} = usePoll(resource, 2000);
  return html`<${Title} name="Log" />
    <${Filters} param=${param} namespace=${namespace} />
    ${error && html`<${Problem} error=${error}>${error.status === 403 && !namespace && html`<p>Without the
      right to see the log of the cluster you can see that of a namespace: name it above.</p>`}<//>`}
    ${!data && !error && html`<${Loading} what="the log" />`}
    ${data && html`<${Entries} key=${resource} data=${data} before=${before} route=${route} />`}`;
}

function Filters({param, namespace}) {
  const set = name => event => change({[name]: event.target.value.trim(), before: ''});
  return html`<form class="filters labelled" role="search" onSubmit=${event => event.preventDefault()}>
    <label>Namespace<input type="search" placeholder="all" value=${namespace}
      onChange=${set('namespace')} /></label>
    ${FILTERS.map(([name, label, hint]) => html`<label key=${name}>${label}<input type="search"
      placeholder=${hint} value=${param(name)} onChange=${set(name)} /></label>`)}
  </form>`;
}

function Entries({data, before, route}) {
  const [shown, setShown] = useState(null);
  const present = objects(data.items);
  useEffect(() => {
    if (shown === null) {
      setShown(data);
    }
  }, []);
  const items = useMemo(() => objects((shown ?? data).items), [shown ?? data]);
  const old = new Set(items.map(it => text(it.id)));
  const news = present.filter(it => !old.has(text(it.id))).length;
  const next = text((shown ?? data).next);
  const to = params => address(['log'], {...Object.fromEntries(route.params), ...params});
  return html`<section class="card flush">
    <div class="bar-of-table"><h2>${before ? 'Earlier' : 'What happened last'}</h2>
      <div role="status">${news > 0 && !before && html`<button class="primary small"
        onClick=${() => setShown(data)}>${news >= PAGE ? PAGE + ' or more' : news} new · show</button>`}</div></div>
    ${items.length === 0 ? html`<${Nothing}>Nothing has happened that fits, as far as the server remembers.<//>`
      : html`<${Table} label="What happened to Workloads, the newest first" className="log">
      <thead><tr><th scope="col" class="number">When</th><th scope="col">What</th><th scope="col">Workload</th>
        <th scope="col">LocalQueue</th><th scope="col">ClusterQueue</th><th scope="col">Reason</th></tr></thead>
      <tbody><${Rows} items=${items} row=${it => html`
        <${Entry} key=${text(it.id)} entry=${it} />`} /></tbody><//>`}
    <nav class="pages" aria-label="Pages of the log">
      ${data.since && html`<span class="since">The server remembers since ${clock(data.since)}.</span>`}
      ${before && html`<a href=${to({before: ''})}>Newest</a>`}
      ${next && html`<a href=${to({before: next})}>Earlier</a>`}</nav>
  </section>`;
}

function Entry({entry}) {
  const [sign, step] = STEPS[text(entry.step)] ?? ['off', words(entry.step)];
  const namespace = text(entry.namespace);
  const {preemptor} = entry;
  return html`<tr>
    <td class="number"><${Ago} at=${entry.at} suffix=" ago" /></td>
    <td><span class=${'state ' + sign}><${Sign} name=${sign} />${step}</span></td>
    <th scope="row"><${WorkloadName} item=${{namespace, name: entry.name}}
      href=${toWorkload(namespace, text(entry.name))} /></th>
    <td>${entry.localQueue && html`<a href=${toLocalQueue(namespace, text(entry.localQueue))}>${
      text(entry.localQueue)}</a>`}</td>
    <td>${entry.clusterQueue && html`<a href=${toClusterQueue(text(entry.clusterQueue))}>${
      text(entry.clusterQueue)}</a>`}</td>
    <td>${words(entry.reason)}${preemptor && html` for <${WorkloadName} item=${preemptor}
      href=${preemptor.namespace == null ? '' : toWorkload(text(preemptor.namespace), text(preemptor.name))} />`}</td>
  </tr>`;
}
