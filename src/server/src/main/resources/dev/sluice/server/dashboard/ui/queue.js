// A queue: what it has, and who waits in it, in order.
import {html, useEffect, useMemo, useState} from './html.js';
import {path, usePoll} from './client.js';
import {address, change, toLocalQueue, toWorkload} from './router.js';
import {Ago, Crumbs, Loading, Nothing, Problem, Rows, Sign, State, Table, Title, WorkloadName} from './parts.js';
import {Legend, Quota} from './bars.js';
import {Usage} from './usage.js';
import {amount, count, grouped, objects, resourceName, text, words} from './format.js';

const PAGE = 100;

/** The node of that ClusterQueue, with the cohorts above it. */
function find(nodes, name, above = []) {
  for (const node of objects(nodes)) {
    if (node.kind === 'ClusterQueue' && node.name === name) {
      return {node, above};
    }
    const below = find(node.children, name, [...above, text(node.name)]);
    if (below) {
      return below;
    }
  }
  return null;
}

export function ClusterQueue({name, route}) {
  const standing = usePoll('standing');
  const found = find(standing.data?.items, name);
  return html`<${Crumbs}><a href="#/">Queues</a>${
      found?.above.map(cohort => html`<span key=${cohort}>${cohort}</span>`)}<//>
    <div class="heading"><${Title} name=${name} /><span class="kind">ClusterQueue</span>
      <a href=${address(['log'], {queue: name})}>Log</a>
      <a href=${address(['whatif'], {queue: name})}>Try another quota</a></div>
    ${found?.node.inactive && html`<div class="card notice bad"><${Sign} name="bad" /><div>
      <h2>This queue admits nothing</h2><p>${text(found.node.inactive)}</p></div></div>`}
    ${!standing.data && !standing.error && html`<${Loading} what="the quota" />`}
    ${found && html`<section class="card"><h2>Quota</h2>
      ${objects(found.node.quotas).length === 0 && html`<${Nothing}>The queue has no quota.<//>`}
      <div class="bars">${objects(found.node.quotas).map(pair => html`
        <${Quota} key=${text(pair.flavor) + ' ' + text(pair.resource)} pair=${pair} showResource />`)}
      </div><${Legend} /></section><${Usage} name=${name} />`}
    <${Line} resource=${path(['clusterqueues', name, 'line'])} route=${route}
      localQueue=${item => html`<a href=${toLocalQueue(item.namespace, item.localQueue)}>${
        text(item.localQueue)}</a>`} />
    <${Holders} name=${name} />`;
}

/** Who has quota, in the order of names, so that rows stay where they are. */
function Holders({name}) {
  const {data, error} = usePoll(path(['clusterqueues', name, 'holders']) + `?limit=${PAGE}`, 2000);
  const holders = useMemo(() => objects(data?.items), [data]);
  if (error) {
    return error.status === 404 ? null : html`<${Problem} error=${error} />`;
  }
  if (!data) {
    return html`<${Loading} what="who has quota" />`;
  }
  const total = count(data.total);
  return html`<section class="card flush"><div class="bar-of-table">
      <h2>Running <span class="badge">${grouped(total)}</span></h2>
      ${total > PAGE && html`<span class="muted">the first ${PAGE} by name</span>`}</div>
    ${holders.length === 0 ? html`<${Nothing}>Nobody has quota of this queue.<//>`
      : html`<${Table} label="Workloads that have quota" className="running">
      <thead><tr><th scope="col">Workload</th><th scope="col">State</th><th scope="col">LocalQueue</th>
        <th scope="col" class="number">Priority</th><th scope="col">Has</th>
        <th scope="col" class="number">For</th></tr></thead>
      <tbody><${Rows} items=${holders} row=${(item, i) => html`<${Holder} key=${item.namespace == null
        ? 'hidden ' + i : key(item)} item=${item} />`} /></tbody><//>`}
  </section>`;
}

function Holder({item}) {
  if (item.namespace == null) {
    return html`<tr><th scope="row" colspan="6"><${WorkloadName} item=${item} href="" /></th></tr>`;
  }
  const namespace = text(item.namespace);
  return html`<tr>
    <th scope="row"><${WorkloadName} item=${item} href=${toWorkload(namespace, text(item.name))} /></th>
    <td><${State} value=${item.phase} /></td>
    <td><a href=${toLocalQueue(namespace, text(item.localQueue))}>${text(item.localQueue)}</a></td>
    <td class="number">${text(item.priority)}</td>
    <td>${objects(item.amounts).map((it, i) => html`${i > 0 ? ' · ' : ''}<b>${
      amount(it.amount, it.resource)}</b> ${resourceName(it.resource)} <span class="muted">${
      text(it.flavor)}</span>`)}</td>
    <td class="number"><${Ago} at=${item.since} /></td>
  </tr>`;
}

export function LocalQueue({namespace, name, route}) {
  return html`<${Crumbs}><a href="#/">Queues</a><a href=${address([], {q: '', namespace})}>${
      namespace}</a><//>
    <div class="heading"><${Title} name=${name} /><span class="kind">LocalQueue</span>
      <a href=${address(['log'], {namespace, queue: namespace + '/' + name})}>Log</a></div>
    <${Line} resource=${path(['namespaces', namespace, 'localqueues', name, 'line'])}
      route=${route} />`;
}

const key = item => item.namespace == null
  ? 'hidden ' + text(item.ahead) : text(item.namespace) + '/' + text(item.name);

/**
 * A page of the line. Rows stay where they are: what has left is marked, what is new waits behind a
 * button, and only the reader moves rows.
 */
function Line({resource, route, localQueue}) {
  const offset = count(Number(route.params.get('offset')));
  const {data, error} = usePoll(resource + `?limit=${PAGE}&offset=${offset}`);
  const [shown, setShown] = useState(/** @type {{place: string, items: any[]}|null} */ (null));
  const place = resource + offset;
  useEffect(() => {
    if (data && shown?.place !== place) {
      setShown({place, items: objects(data.items)});
    }
  }, [data, place]);
  if (error) {
    return html`<${Problem} error=${error} />`;
  }
  if (!data || shown === null || shown.place !== place) {
    return html`<${Loading} what="the line" />`;
  }
  const now = new Map(objects(data.items).map(item => [key(item), item]));
  const old = new Set(shown.items.map(key));
  const news = [...now.keys()].filter(it => !old.has(it)).length;
  const left = shown.items.filter(item => !now.has(key(item))).length;
  const order = [...now.keys()].filter(it => old.has(it));
  const kept = shown.items.map(key).filter(it => now.has(it));
  const moved = order.some((it, i) => it !== kept[i]);
  const total = count(data.total);
  return html`<section class="card flush">
    <div class="bar-of-table"><h2>Waiting <span class="badge">${grouped(total)}</span></h2>
      <div role="status">${(news > 0 || left > 0 || moved) && html`<button class="primary small"
        onClick=${() => setShown({place, items: objects(data.items)})}>
        ${[news > 0 && news + ' new', left > 0 && left + ' gone', moved && 'order changed']
          .filter(Boolean).join(', ')} · show</button>`}</div></div>
    ${shown.items.length === 0
      ? html`<${Nothing}>${total === 0 ? 'Nobody waits in this queue.' : 'The line is shorter now.'}<//>`
      : html`<${Table} label="Workloads that wait, in order" className="line"
        rows=${total + 1}>
      <thead><tr aria-rowindex="1"><th scope="col" class="number">Position</th><th scope="col">Workload</th>
        ${localQueue && html`<th scope="col">LocalQueue</th>`}
        <th scope="col" class="number">Priority</th><th scope="col">Reason</th>
        <th scope="col" class="number">Waits for</th></tr></thead>
      <tbody><${Rows} items=${shown.items} from=${[data]} row=${(item, i) => html`
        <${Place} key=${key(item)} index=${offset + i + 2} item=${now.get(key(item)) ?? item}
          isGone=${!now.has(key(item))} localQueue=${localQueue} />`} /></tbody><//>`}
    <${Pages} offset=${offset} total=${total} />
  </section>`;
}

function Place({item, index, isGone, localQueue}) {
  const isHidden = item.namespace == null;
  const reason = text(item.reason);
  return html`<tr class=${isGone ? 'gone' : ''} aria-rowindex=${index}>
    <td class="number">${isGone ? html`<span class="muted">left</span>`
      : grouped(count(item.ahead) + 1)}</td>
    <th scope="row"><${WorkloadName} item=${item}
      href=${isHidden ? '' : toWorkload(text(item.namespace), text(item.name))} /></th>
    ${localQueue && html`<td>${isHidden ? '' : localQueue(item)}</td>`}
    <td class="number">${isHidden ? '' : text(item.priority)}</td>
    <td>${isHidden ? '' : reason ? words(reason) : html`<span class="muted">not looked at yet</span>`}</td>
    <td class="number">${isHidden ? '' : html`<${Ago} at=${item.since} />`}</td>
  </tr>`;
}

function Pages({offset, total}) {
  if (total <= PAGE && offset === 0) {
    return null;
  }
  const go = to => () => change({offset: to > 0 ? String(to) : ''}, false);
  return html`<nav class="pages" aria-label="Pages of the line">
    <button disabled=${offset === 0} onClick=${go(Math.max(0, offset - PAGE))}>Previous</button>
    <span>${[Math.min(total, offset + 1), 'to', Math.min(total, offset + PAGE), 'of', total]
      .map(it => typeof it === 'number' ? grouped(it) : it).join(' ')}</span>
    <button disabled=${offset + PAGE >= total} onClick=${go(offset + PAGE)}>Next</button>
  </nav>`;
}
