// What a ClusterQueue had and used during the last hour: a chart for each resource of a flavor, and
// the same as a table.
import {html, useState} from './html.js';
import {path, usePoll} from './client.js';
import {Loading, Nothing, Table} from './parts.js';
import {amount, clock, number, objects, resourceName, text} from './format.js';

const HOUR = 3_600_000;
const SAMPLE = 30_000;
const WIDTH = 600;
const HEIGHT = 100;
const CHARTS = 8;

const positive = quantity => {
  const value = number(quantity);
  return Number.isFinite(value) ? Math.max(0, value) : 0;
};

/** The steps as numbers, each with its begin and end; those without a time are left out. */
function spans(steps, end) {
  const known = objects(steps).map(it => ({...it, from: Date.parse(text(it.at))}))
    .filter(it => !Number.isNaN(it.from) && it.from <= end);
  return known.map((it, i) => ({
    from: it.from,
    to: known[i + 1]?.from ?? end,
    isKnown: it.used != null,
    nominal: number(it.nominal), // not a number where it is unlimited
    used: positive(it.used),
    borrowed: Math.min(positive(it.borrowed), positive(it.used)),
  }));
}

export function Usage({name}) {
  const {data, error} = usePoll(path(['clusterqueues', name, 'usage']), 5000);
  const [most, setMost] = useState(CHARTS);
  if (error) {
    return null; // an older server, or a reader without that right
  }
  if (!data) {
    return html`<${Loading} what="the last hour" />`;
  }
  const pairs = objects(data.items);
  const end = Date.parse(text(data.to)) + SAMPLE; // the last sample holds until the next one
  const isShort = Date.parse(text(data.from)) > end - HOUR + 60_000;
  return html`<section class="card"><h2>Last hour</h2>
    ${pairs.length === 0 || Number.isNaN(end)
      ? html`<${Nothing}>${data.complete === false
        ? 'There are too many queues to remember the use of this one.'
        : 'Nothing is remembered yet: the use is noted twice a minute.'}<//>`
      : html`<div class="usage">${pairs.slice(0, most).map(pair => html`
          <${Chart} key=${text(pair.flavor) + ' ' + text(pair.resource)} pair=${pair} end=${end} />`)}</div>
        ${pairs.length > most && html`<button class="link" onClick=${() => setMost(pairs.length)}>
          ${pairs.length - most} more</button>`}
        <p class="legend"><span><i class="own" />used</span><span><i class="over" />borrowed</span>
          <span><i class="line" />nominal quota</span>
          ${isShort && html`<span>remembered since ${clock(data.from)}</span>`}</p>`}
  </section>`;
}

function Chart({pair, end}) {
  const all = spans(pair.steps, end);
  const known = all.filter(it => it.isKnown);
  const high = Math.max(0, ...known.map(it => Math.max(it.used, it.nominal || 0)));
  const shown = value => amount(value, pair.resource);
  const last = all.at(-1);
  const peak = Math.max(0, ...known.map(it => it.used));
  const lent = Math.max(0, ...known.map(it => it.borrowed));
  const title = `${resourceName(pair.resource)}, ${text(pair.flavor)}`;
  const words = [`now ${last?.isKnown ? shown(last.used) : 'not there'}`, `peak ${shown(peak)}`,
    lent > 0 && `borrowed up to ${shown(lent)}`].filter(Boolean).join(' · ');
  const x = time => round(WIDTH * Math.max(0, 1 - (end - time) / HOUR));
  const y = value => round(HEIGHT * (1 - (high > 0 ? value / high : 0) * 0.94));
  const area = value => known.map(it => value(it) > 0
    ? `M${x(it.from)} ${HEIGHT}V${y(value(it))}H${x(it.to)}V${HEIGHT}z` : '').join('');
  const line = known.map((it, i) => Number.isFinite(it.nominal)
    ? `${i > 0 && known[i - 1].to === it.from && Number.isFinite(known[i - 1].nominal) ? 'V' + y(it.nominal)
      : `M${x(it.from)} ${y(it.nominal)}`}H${x(it.to)}` : '').join('');
  return html`<figure><figcaption><b>${resourceName(pair.resource)}</b> <span class="muted">${
      text(pair.flavor)}</span></figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img"
      aria-label=${`${title}, last hour: ${words}`}>
      <path class="over" d=${area(it => it.used)} />
      <path class="own" d=${area(it => it.used - it.borrowed)} />
      <path class="line" d=${line} /></svg>
    <div class="axis"><span>${minute(end - HOUR)}</span><span>${words}</span>
      <span>${minute(end)}</span></div>
    <${Numbers} title=${title} spans=${all} shown=${shown} />
  </figure>`;
}

/** The same for those who do not see the chart, made only when it is opened. */
function Numbers({title, spans: all, shown}) {
  const [isOpen, setOpen] = useState(false);
  return html`<details onToggle=${event => setOpen(event.currentTarget.open)}>
    <summary>Numbers<span class="unseen"> of ${title}</span></summary>
    ${isOpen && html`<${Table} label=${'Use of ' + title}><thead><tr><th scope="col">From</th>
      <th scope="col" class="number">Nominal</th><th scope="col" class="number">Used</th>
      <th scope="col" class="number">Borrowed</th></tr></thead>
      <tbody>${all.toReversed().map(it => html`<tr key=${it.from}><th scope="row">${
        minute(it.from)}</th>${it.isKnown
        ? html`<td class="number">${Number.isFinite(it.nominal) ? shown(it.nominal) : 'unlimited'}</td>
          <td class="number">${shown(it.used)}</td><td class="number">${shown(it.borrowed)}</td>`
        : html`<td colspan="3" class="muted">not there</td>`}</tr>`)}</tbody><//>`}
  </details>`;
}

/** A time of this hour needs no date. */
const minute = time => clock(new Date(time).toISOString()).slice(-5);

const round = value => Math.round(value * 10) / 10;
