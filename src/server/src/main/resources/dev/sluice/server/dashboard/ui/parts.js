// Small parts that several pages have.
import {html, useEffect, useMemo, useRef, useState} from './html.js';
import {duration, text} from './format.js';

const tickers = new Set();
setInterval(() => tickers.forEach(tick => tick()), 1000);

/** Draws the component again each second. */
function useTick() {
  const [, draw] = useState(0);
  useEffect(() => {
    const tick = () => draw(count => count + 1);
    tickers.add(tick);
    return () => tickers.delete(tick);
  }, []);
}

/** How long ago that was; the exact time shows on hover and on focus. */
export function Ago({at, suffix = ''}) {
  useTick();
  const time = Date.parse(text(at));
  if (Number.isNaN(time)) {
    return html`<span class="muted">unknown</span>`;
  }
  const exact = new Date(time).toISOString().replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
  const age = Math.floor((Date.now() - time) / 1000);
  const words = age < 1 ? 'now' : duration(age) + suffix;
  return html`<time class="tip" tabindex="0" datetime=${new Date(time).toISOString()}
    data-tip=${exact} aria-label=${words + ', ' + exact}
    >${words}</time>`;
}

const SIGNS = {
  wait: 'M8 4.5V8l2.5 1.5M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z',
  good: 'm4.5 8.5 2.3 2.3 4.7-5M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z',
  bad: 'M8 5v3.5M8 11v.1M8 2 1.5 13.5h13L8 2Z',
  off: 'M4.5 8h7M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z',
  idea: 'M6 13.5h4M6.5 11.5h3M8 2a4 4 0 0 0-2.3 7.3c.5.4.8.9.8 1.4v.3h3v-.3c0-.5.3-1 .8-1.4A4 4 0 0 0 8 2Z',
  open: 'm6 4 4 4-4 4',
  theme: 'M8 2a6 6 0 1 0 0 12V2Zm0 0a6 6 0 0 1 0 12',
};

/** A sign of the list above; it says nothing that is not beside it in words. */
export const Sign = ({name}) => html`<svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
  <path d=${SIGNS[name]} /></svg>`;

const PHASES = {
  Admitted: ['good', 'Admitted'],
  Reserved: ['wait', 'Has quota, waits for checks'],
  Pending: ['wait', 'Pending'],
  Inadmissible: ['wait', 'Waits for a change'],
  Unqueued: ['off', 'In no queue'],
  Evicted: ['bad', 'Evicted'],
  Finished: ['off', 'Finished'],
  AdmittedAfterPreemption: ['bad', 'Admitted after preemption'],
  Waits: ['wait', 'Waits'],
  Never: ['bad', 'Never fits'],
  Refused: ['bad', 'Refused'],
  Restarted: ['bad', 'Restarted'],
};

/** A state, as a sign and a word. */
export function State({value}) {
  const [sign, words] = PHASES[text(value)] ?? ['off', text(value) || 'Unknown'];
  return html`<span class=${'state ' + sign}><${Sign} name=${sign} />${words}</span>`;
}

/** The heading of a page, which gets the focus when the page is opened. */
export function Title({children, name}) {
  const heading = useRef(/** @type {HTMLElement|null} */ (null));
  useEffect(() => {
    document.title = name + ' · Sluice';
    heading.current?.focus({preventScroll: true});
    scrollTo(0, 0);
  }, [name]);
  return html`<h1 ref=${heading} tabindex="-1">${children ?? name}</h1>`;
}

/** Where the reader is. */
export const Crumbs = ({children}) => html`<nav class="crumbs" aria-label="Path">${children}</nav>`;

/**
 * A table in a box that scrolls sideways by itself, so that the page never does. Where it shows some
 * rows of more, rows says how many there are, with the heading.
 */
export const Table = ({label, children, className = '', rows = null}) => html`
  <div class="scroll" role="region" aria-label=${label} tabindex="0">
    <table class=${className} aria-rowcount=${rows}><caption class="unseen">${label}</caption>${children}</table>
  </div>`;

const PART = 8;

/**
 * Rows of a table: some at once, and then a part at a time, so that the page answers in between. A row
 * is made again once the items or what it is made from differ.
 *
 * @param row makes the row of an item and its index
 * @param from what rows are made from beside their items, always as many
 */
export function Rows({items, row, from = []}) {
  const [most, setMost] = useState(PART);
  const made = useMemo(() => [], [items, ...from]);
  const shown = Math.min(most, items.length);
  useEffect(() => {
    if (shown === items.length) {
      return () => {};
    }
    const timer = setTimeout(() => setMost(shown + PART));
    return () => clearTimeout(timer);
  }, [shown, items.length]);
  while (made.length < shown) {
    made.push(row(items[made.length], made.length));
  }
  return made.slice(0, shown);
}

/** What is shown before anything is known: no zero, and no empty list. */
export const Loading = ({what}) => html`<div class="card loading" role="status">
  <p class="unseen">Reading ${what}.</p>
  ${[92, 70, 84, 60].map(width => html`<div class="bone" style=${{width: width + '%'}} />`)}
</div>`;

/** What is shown where a list has nothing. */
export const Nothing = ({children}) => html`<p class="nothing">${children}</p>`;

const TITLES = {
  403: 'You may not see this',
  404: 'There is nothing of that name',
  409: 'The name is not clear',
  429: 'Too many questions at once',
  503: 'The server does not know everything yet',
};

/** Why something cannot be shown. */
export const Problem = ({error, children}) => html`<div class="card notice bad" role="alert">
  <${Sign} name="bad" />
  <div><h2>${TITLES[error.status] ?? 'This cannot be shown'}</h2>
    <p>${text(error.message)}</p>${children}</div>
</div>`;

/** A name of a Workload as a link, or how many there are whose names are not shown. */
export function WorkloadName({item, href}) {
  if (item.namespace == null) {
    const hidden = Number(item.workloads) || 1;
    return html`<span class="muted">${hidden === 1
      ? 'one workload of another namespace' : hidden + ' workloads of other namespaces'}</span>`;
  }
  return html`<a class="name" href=${href}><span class="muted">${text(item.namespace)}/</span
    >${text(item.name)}</a>`;
}
