// A workload: why it is where it is, what would help, and what has happened to it.
import {html} from './html.js';
import {path, usePoll} from './client.js';
import {toClusterQueue, toLocalQueue, toWorkload} from './router.js';
import {Ago, Crumbs, Loading, Nothing, Problem, Sign, State, Table, Title, WorkloadName} from './parts.js';
import {Parts} from './bars.js';
import {amount, clock, count, grouped, list, number, objects, resourceName, text, words} from './format.js';

export function Workload({namespace, name}) {
  const base = ['namespaces', namespace, 'workloads', name];
  const {data, error} = usePoll(path([...base, 'explanation']), 2000);
  const story = usePoll(path([...base, 'timeline']), 2000);
  const own = data?.workload ?? {namespace, name};
  return html`<${Crumbs}><a href="#/">Queues</a>
      ${data?.clusterQueue && html`<a href=${toClusterQueue(text(data.clusterQueue))}>${
        text(data.clusterQueue)}</a>`}
      ${data?.localQueue && html`<a href=${toLocalQueue(namespace, text(data.localQueue))}>${
        text(data.localQueue)}</a>`}<//>
    <div class="heading"><${Title} name=${text(own.name)} /><span class="kind">Workload in ${
      namespace}</span>${data && html`<${State} value=${data.phase} />`}</div>
    ${error && html`<${Problem} error=${error} />`}
    ${!data && !error && html`<${Loading} what="the explanation" />`}
    <div class="columns"><div>${data && html`<${Why} data=${data} />`}</div>
      <aside aria-label="What has happened"><${Story} story=${story} /></aside></div>`;
}

function Why({data}) {
  const shortages = objects(data.shortages);
  const remedies = objects(data.remedies);
  const wakesOn = list(data.wakesOn);
  return html`
    <section class="card why"><h2>Why it is here</h2>
      <p class="because">${text(data.because)}</p>
      ${Number.isFinite(data.ahead) && html`<p class="muted">${data.ahead === 0
        ? 'Nobody is before it in its ClusterQueue.'
        : grouped(data.ahead) + ' before it in its ClusterQueue.'}</p>`}
      ${data.forecast && html`<p class="forecast"><b>Starts</b> ${starts(data.forecast)}</p>`}</section>
    ${remedies.length > 0 && html`<section class="card"><h2>What would help</h2>
      <p class="muted">Each change was tried alone, with nobody else waiting.</p>
      <ol class="remedies">${remedies.map(remedy => html`<li key=${text(remedy.change)}>
        <${Sign} name="idea" /><div><b>${text(remedy.change)}</b><p>${text(remedy.effect)}</p></div>
      </li>`)}</ol></section>`}
    ${shortages.map((shortage, i) => html`<${Shortage} key=${i} shortage=${shortage} />`)}
    ${wakesOn.length > 0 && html`<section class="card"><h2>It is looked at again when</h2>
      <ul class="plain">${wakesOn.map(event => html`<li key=${text(event)}>${text(event)}</li>`)}</ul>
    </section>`}`;
}

/** When it gets quota, in words. */
function starts(forecast) {
  const {status, from, likely, until, score} = forecast;
  const right = count(score?.starts) > 0
    ? `; ${count(score.within)} of the last ${count(score.starts)} were in time` : '';
  return ({
    Now: 'at once',
    Window: `between ${clock(from)} and ${until ? clock(until) : 'a time beyond the horizon'}, `
      + `most likely ${clock(likely)}${right}`,
    BeyondHorizon: 'probably not in the next day',
    Blocked: 'not before a quota or a queue changes',
    TooLittleHistory: 'at a time nobody knows: too few workloads have ended yet',
  })[text(status)] ?? 'at a time that is not known yet';
}

function Shortage({shortage}) {
  const resource = shortage.resource;
  const shown = value => amount(value, resource);
  const holders = objects(shortage.holders);
  const most = Math.max(0, ...holders.map(it => number(it.amount)).filter(Number.isFinite));
  return html`<section class="card flush"><div class="bar-of-table">
      <h2>${resourceName(resource)} of flavor ${text(shortage.flavor)}</h2>
      <p class="needs">needs <b>${shown(shortage.requested)}</b>, free <b>${shown(shortage.free)}</b>
        ${text(shortage.podSet) && html`<span class="muted"> · PodSet ${text(shortage.podSet)}</span>`}
      </p></div>
    ${!shortage.scarce && html`<p class="pad">There is too little of it even when nothing runs.</p>`}
    <${Table} label="Quota from the queue up to the root" className="split">
      <thead><tr><th scope="col">Level</th><th scope="col" class="wide-bar"><span class="unseen">Use</span></th>
        <th scope="col" class="number">Own quota</th><th scope="col" class="number">Used</th>
        <th scope="col" class="number">Free</th></tr></thead>
      <tbody>${objects(shortage.levels).map((level, i) => html`<${Level} key=${i} level=${level}
        shown=${shown} isScarcest=${text(level.node) === text(shortage.scarce)} />`)}</tbody><//>
    ${holders.length > 0 && html`<${Table} label="Who holds most of it" className="split">
      <thead><tr><th scope="col">Held by</th><th scope="col" class="wide-bar"><span class="unseen">Share</span></th>
        <th scope="col">ClusterQueue</th><th scope="col" class="number">Priority</th>
        <th scope="col" class="number">Amount</th></tr></thead>
      <tbody>${holders.map((holder, i) => html`<tr key=${i}>
        <th scope="row"><${WorkloadName} item=${holder} href=${holder.namespace == null ? ''
          : toWorkload(text(holder.namespace), text(holder.name))} /></th>
        <td><${Parts} whole=${most} label=${shown(holder.amount)}
          parts=${[['own', number(holder.amount) || 0]]} /></td>
        <td>${holder.clusterQueue && html`<a href=${toClusterQueue(text(holder.clusterQueue))}>${
          text(holder.clusterQueue)}</a>`}</td>
        <td class="number">${text(holder.priority)}</td>
        <td class="number"><b>${shown(holder.amount)}</b></td></tr>`)}</tbody><//>`}
  </section>`;
}

/** A ClusterQueue or a cohort: its bar is what is used and what is free there. */
function Level({level, shown, isScarcest}) {
  const [nominal, used, free] = [level.nominal, level.used, level.free].map(it => number(it) || 0);
  const borrowed = nominal > 0 ? Math.max(0, used - nominal) : 0; // a cohort may own nothing itself
  return html`<tr><th scope="row">${text(level.node)}${isScarcest
      && html` <span class="badge isbad">scarcest</span>`}</th>
    <td><${Parts} whole=${used + Math.max(0, free)}
      label=${`${shown(level.used)} used, ${shown(level.free)} free`}
      parts=${[['own', used - borrowed], ['borrowed', borrowed]]} /></td>
    <td class="number">${nominal > 0 ? shown(level.nominal) : html`<span class="muted">–</span>`}</td>
    <td class="number">${shown(level.used)}</td>
    <td class="number"><b>${shown(level.free)}</b></td></tr>`;
}

const KINDS = {
  Created: 'off', QuotaReserved: 'good', Admitted: 'good', PodsReady: 'good', Evicted: 'bad',
  Preempted: 'bad', Finished: 'good', Requeued: 'wait',
};

/** The sign of an entry: False of what is good is a wait. */
const sign = ({type, value}) => value === 'True' || value === 'Ready' ? KINDS[type] ?? 'good'
  : value === 'Rejected' ? 'bad' : value === 'False' && type === 'Evicted' ? 'good' : 'wait';

const SENTENCES = {
  'QuotaReserved True': 'Quota reserved',
  'QuotaReserved False': 'No quota yet',
  'Admitted True': 'Admitted',
  'Admitted False': 'Not admitted',
  'PodsReady True': 'Pods are ready',
  'PodsReady False': 'Pods are not ready',
  'Evicted True': 'Evicted',
  'Evicted False': 'Eviction is over',
  'Preempted True': 'Preempted',
  'Preempted False': 'Preemption is over',
  'Requeued True': 'Queued again',
  'Requeued False': 'Not queued again yet',
  'Finished True': 'Finished',
  'Created True': 'Created',
};

function Story({story}) {
  if (story.error) {
    return html`<section class="card"><h2>What has happened</h2><p>${text(story.error.message)}</p></section>`;
  }
  if (!story.data) {
    return html`<${Loading} what="what has happened" />`;
  }
  const entries = objects(story.data.items);
  return html`<section class="card"><h2>What has happened</h2>
    ${entries.length === 0 && html`<${Nothing}>The object tells nothing.<//>`}
    <ol class="story">${entries.map((entry, i) => html`<li key=${i}>
      <${Sign} name=${sign(entry)} />
      <div><b>${SENTENCES[text(entry.type) + ' ' + text(entry.value)]
        ?? words(entry.type) + ': ' + text(entry.value).toLowerCase()}</b>
        <span class="muted"> · <${Ago} at=${entry.at} suffix=" ago" /></span>
        ${entry.message && html`<p>${text(entry.message)}</p>`}
        ${entry.reason && text(entry.reason) !== text(entry.type)
          && html`<p class="muted">${words(entry.reason)}</p>`}</div></li>`)}</ol></section>`;
}
