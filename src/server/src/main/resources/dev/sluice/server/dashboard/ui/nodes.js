// Nodes: what the domains of a flavor have, as a map and as a table, from the widest level down.
import {html, useMemo, useState} from './html.js';
import {path, usePoll} from './client.js';
import {address, change} from './router.js';
import {Crumbs, Loading, Nothing, Problem, Rows, Sign, Table, Title} from './parts.js';
import {Parts} from './bars.js';
import {HeatMap, HeatLegend} from './heatmap.js';
import {amount, count, grouped, list, number, objects, resourceName, text} from './format.js';

const MAP = 500; // domains in the map
const ROWS = 50; // rows of the table
const BAD = [['failed', 'failed'], ['notReady', 'not ready'], ['cordoned', 'cordoned'], ['tainted', 'tainted']];

/** A level as people call it: the end of its label. */
const levelName = label => text(label) === 'kubernetes.io/hostname' ? 'node' : text(label).replace(/^.*\//, '');

export function Nodes({route}) {
  const {data, error} = usePoll('inventory', 10_000);
  const title = html`<${Title} name="Nodes" />`;
  if (error) {
    return html`${title}<${Problem} error=${error} />`;
  }
  if (!data) {
    return html`${title}<${Loading} what="the flavors" />`;
  }
  const flavors = objects(data.items);
  const usable = flavors.filter(it => count(it.nodes) > 0 && list(it.levels).length > 0);
  const wanted = route.params.get('flavor');
  const flavor = flavors.find(it => text(it.flavor) === wanted)
    ?? usable.find(it => it.topology) ?? usable[0];
  if (!flavor) {
    return html`${title}<${NoNodes} data=${data} flavors=${flavors} />`;
  }
  return html`${title}<${Flavor} key=${text(flavor.flavor)} flavor=${flavor} flavors=${flavors} route=${route} />`;
}

/** Why there is nothing to show. */
function NoNodes({data, flavors}) {
  return html`<section class="card"><h2>No ResourceFlavor has nodes</h2>
    <p>${count(data.nodes) === 0
      ? 'The cluster has no nodes, or the feature gate TopologyAwareScheduling is off: then nodes are not watched.'
      : `The cluster has ${grouped(count(data.nodes))} nodes, but none with the labels of a ResourceFlavor.`}</p>
    ${flavors.some(it => it.problem) && html`<ul class="plain">${flavors.filter(it => it.problem).map(it => html`
      <li key=${text(it.flavor)}>${text(it.flavor)}: ${text(it.problem)}</li>`)}</ul>`}</section>`;
}

/** The resource that people look for first. */
const usual = resources => resources.find(it => /gpu/.test(it)) ?? resources.find(it => it === 'cpu')
  ?? resources[0] ?? '';

function Flavor({flavor, flavors, route}) {
  const param = name => route.params.get(name) ?? '';
  const name = text(flavor.flavor);
  const resources = list(flavor.resources).map(text);
  const resource = resources.includes(param('resource')) ? param('resource') : usual(resources);
  const from = count(Number(param('from')));
  const offset = Math.floor(from / MAP) * MAP;
  const query = new URLSearchParams({resource, limit: String(MAP), offset: String(offset), flavor: name});
  ['under', 'level', 'pods', 'requests'].filter(param).forEach(it => query.set(it, param(it)));
  const parent = flavor.topology ? ['topologies', text(flavor.topology)] : ['resourceflavors', name];
  const {data, error} = usePoll(list(flavor.levels).length === 0 ? null
    : `${path([...parent, 'domains'])}?${String(query).replaceAll('+', '%20')}`, 3000);
  const under = param('under') ? param('under').split('/') : [];
  const down = {under: '', level: '', from: ''};
  return html`
    ${under.length > 0 && html`<${Crumbs}>
      <a href=${address(['nodes'], {...Object.fromEntries(route.params), ...down})}>${name}</a>
      ${under.map((it, i) => i === under.length - 1 ? html`<span key=${i}>${it}</span>`
        : html`<a key=${i} href=${address(['nodes'], {...Object.fromEntries(route.params), ...down,
          under: under.slice(0, i + 1).join('/')})}>${it}</a>`)}<//>`}
    <${Choices} flavor=${flavor} flavors=${flavors} under=${under} resources=${resources}
      resource=${resource} level=${param('level')} />
    <${GangForm} key=${resource} resource=${resource} pods=${param('pods')} requests=${param('requests')} />
    ${flavor.problem && html`<div class="card notice bad"><${Sign} name="bad" /><div>
      <h2>The nodes of this flavor have no domains</h2><p>${text(flavor.problem)}</p></div></div>`}
    ${error && html`<${Problem} error=${error} />`}
    ${!data && !error && list(flavor.levels).length > 0 && html`<${Loading} what="the nodes" />`}
    ${data && html`<${Domains} data=${data} resource=${resource} from=${from} route=${route} />`}`;
}

function Choices({flavor, flavors, under, resources, resource, level}) {
  const levels = list(flavor.levels).slice(under.length);
  return html`<form class="filters labelled" onSubmit=${event => event.preventDefault()}>
    <label>Flavor<select value=${text(flavor.flavor)} onChange=${event => change(
      {flavor: event.target.value, under: '', level: '', from: '', resource: ''}, false)}>
      ${flavors.map(it => html`<option key=${text(it.flavor)} value=${text(it.flavor)}>${
        text(it.flavor)} (${count(it.nodes) === 1 ? '1 node' : grouped(count(it.nodes)) + ' nodes'})</option>`)}</select></label>
    <label>Level<select value=${level || text(levels[0])}
      onChange=${event => change({level: event.target.value, from: ''}, false)}>
      ${levels.map(it => html`<option key=${text(it)} value=${text(it)}>${levelName(it)}</option>`)}</select></label>
    <label>Resource<select value=${resource} onChange=${event => change(
      {resource: event.target.value, pods: '', requests: ''}, false)}>
      ${resources.map(it => html`<option key=${it} value=${it}>${resourceName(it)}</option>`)}</select></label>
  </form>`;
}

/** Asks how many groups of pods would fit, each within one domain. */
function GangForm({resource, pods, requests}) {
  const known = requests.startsWith(resource + ':') && !requests.includes(',');
  const [asked, setAsked] = useState(
    {pods: pods || '8', each: known ? requests.slice(resource.length + 1) : '1'});
  const set = name => event => setAsked({...asked, [name]: event.target.value});
  return html`<form class="filters labelled" onSubmit=${event => {
    event.preventDefault();
    change({pods: asked.pods, requests: `${resource}:${asked.each.trim()}`}, false);
  }}>
    <label>Pods in a gang<input type="number" min="1" max="100000" required value=${asked.pods}
      onInput=${set('pods')} /></label>
    <label>${resourceName(resource)} of each pod<input required value=${asked.each} onInput=${set('each')} /></label>
    <button class="primary">Count gangs</button>
    ${requests && html`<button type="button" onClick=${() => change({pods: '', requests: ''}, false)}>Clear</button>`}
  </form>`;
}

/** The amounts of that resource in a domain, as numbers. */
export function measuredDomain(domain, resource) {
  const found = objects(domain?.amounts).find(it => text(it.resource) === resource) ?? {};
  const read = name => Math.max(0, number(found[name]) || 0);
  const bad = BAD.reduce((sum, [key]) => sum + count(domain?.[key]), 0);
  return {capacity: read('capacity'), used: read('used'), free: read('free'), bad,
    nodes: count(domain?.nodes), gangs: count(domain?.gangs)};
}

/** What is wrong with nodes of the domain, in words; empty for nothing. */
const troubles = domain => BAD.filter(([key]) => count(domain[key]) > 0)
  .map(([key, words]) => count(domain.nodes) === 1 ? words : `${grouped(count(domain[key]))} ${words}`).join(', ');

function Domains({data, resource, from, route}) {
  const offset = count(data.offset);
  const items = useMemo(() => objects(data.items), [data]);
  const rows = useMemo(() => items.slice(from - offset, from - offset + ROWS), [items, from, offset]);
  const total = count(data.total);
  const level = levelName(data.level);
  const isLowest = list(data.levels).at(-1) === data.level;
  const open = item => isLowest ? null : address(['nodes'], {...Object.fromEntries(route.params),
    under: [text(data.under), text(item.name)].filter(Boolean).join('/'), level: '', from: ''});
  const plural = total === 1 ? level : level + 's';
  return html`
    <${Sum} data=${data} resource=${resource} plural=${plural} total=${total} />
    ${items.length === 0 ? html`<${Nothing}>There are no domains here.<//>` : html`
    <section class="card"><h2>${resourceName(resource)} by ${level}</h2>
      <${HeatMap} items=${items} resource=${resource} open=${open} measure=${measuredDomain}
        words=${item => wordsOf(item, resource)} label=${`Map of ${items.length} ${plural}: what they use of ${
          resourceName(resource)}. The table below has the same.`} />
      <${HeatLegend} hasGangs=${Boolean(data.gang)} />
      ${total > items.length && html`<p class="small muted">${grouped(offset + 1)} to ${
        grouped(offset + items.length)} of ${grouped(total)} ${plural} in the map.</p>`}</section>
    <section class="card flush"><div class="bar-of-table"><h2>${plural.charAt(0).toUpperCase()
        + plural.slice(1)} <span class="badge">${grouped(total)}</span></h2></div>
      <${Table} label=${`What each ${level} has of ${resourceName(resource)}`} rows=${total + 1}>
        <thead><tr aria-rowindex="1"><th scope="col">${level.charAt(0).toUpperCase() + level.slice(1)}</th>
          <th scope="col" class="wide-bar"><span class="unseen">Use</span></th>
          <th scope="col" class="number">Used</th><th scope="col" class="number">Free</th>
          <th scope="col" class="number">Has</th><th scope="col" class="number">Nodes</th>
          <th scope="col">State</th>${data.gang && html`<th scope="col" class="number">Gangs that fit</th>`}</tr></thead>
        <tbody><${Rows} key=${from} items=${rows} from=${[resource, route]} row=${(item, i) => html`
          <${DomainRow} key=${text(item.name)} item=${item} index=${from + i + 2} resource=${resource}
            href=${open(item)} hasGangs=${Boolean(data.gang)} />`} /></tbody><//>
      ${total > ROWS && html`<${Pages} from=${from} total=${total} />`}</section>`}`;
}

/** A domain in one sentence. */
function wordsOf(item, resource) {
  const {capacity, used, free, gangs} = measuredDomain(item, resource);
  const shown = value => amount(value, resource);
  return `${text(item.name)}: ${shown(used)} of ${shown(capacity)} used, ${shown(free)} free`
    + (troubles(item) ? `; ${troubles(item)}` : '') + (item.gangs == null ? '' : `; fits ${grouped(gangs)} gangs`);
}

function DomainRow({item, index, resource, href, hasGangs}) {
  const {capacity, used, free, gangs} = measuredDomain(item, resource);
  const shown = value => amount(value, resource);
  const trouble = troubles(item);
  return html`<tr aria-rowindex=${index}>
    <th scope="row">${href ? html`<a class="name" href=${href}>${text(item.name)}</a>`
      : html`<span class="name">${text(item.name)}</span>`}</th>
    <td><${Parts} whole=${Math.max(capacity, used)} parts=${[['own', used]]}
      label=${`${shown(used)} of ${shown(capacity)} used`} /></td>
    <td class="number">${shown(used)}</td><td class="number"><b>${shown(free)}</b></td>
    <td class="number">${shown(capacity)}</td><td class="number">${grouped(count(item.nodes))}</td>
    <td>${trouble ? html`<span class="trouble"><${Sign} name="bad" />${trouble}</span>`
      : html`<span class="muted">fine</span>`}</td>
    ${hasGangs && html`<td class="number">${gangs > 0 ? html`<b>${grouped(gangs)}</b>`
      : html`<span class="muted">0</span>`}</td>`}</tr>`;
}

function Sum({data, resource, plural, total}) {
  const sum = data.sum ?? {};
  const {capacity, used, free, nodes, bad, gangs} = measuredDomain(sum, resource);
  const shown = value => amount(value, resource);
  const each = Object.entries(data.gang?.requests ?? {})
    .map(([name, value]) => `${amount(value, name)} ${resourceName(name)}`).join(' and ');
  return html`<dl class="stats">
    <div><dt>Nodes</dt><dd>${grouped(nodes)}</dd></div>
    <div><dt>${resourceName(resource)} used</dt><dd>${shown(used)}<span class="of"> of ${shown(capacity)}</span></dd></div>
    <div><dt>${resourceName(resource)} free</dt><dd>${shown(free)}</dd></div>
    <div><dt>Nodes that take no pods, or not all</dt><dd class=${bad > 0 ? 'isbad' : ''}>${
      bad > 0 && html`<${Sign} name="bad" />`}${grouped(bad)}${bad > 0 && html`<span class="of"> ${
      troubles(sum)}</span>`}</dd></div>
    ${data.gang && html`<div><dt>Gangs of ${grouped(count(data.gang.pods))} × ${each} within one of ${
      grouped(total)} ${plural}</dt><dd>${grouped(gangs)}</dd></div>`}
  </dl>`;
}

function Pages({from, total}) {
  const go = to => () => change({from: to > 0 ? String(to) : ''}, false);
  return html`<nav class="pages" aria-label="Pages of the table">
    <button disabled=${from === 0} onClick=${go(Math.max(0, from - ROWS))}>Previous</button>
    <span>${grouped(Math.min(total, from + 1))} to ${grouped(Math.min(total, from + ROWS))} of ${grouped(total)}</span>
    <button disabled=${from + ROWS >= total} onClick=${go(from + ROWS)}>Next</button>
  </nav>`;
}
