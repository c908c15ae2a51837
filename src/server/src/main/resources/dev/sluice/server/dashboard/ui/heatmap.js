// A map of domains: a cell each, filled from below as far as it is used. Thousands of cells are a
// few paths, so that the page stays small; a click is found by its place.
import {html, useState} from './html.js';

const WIDTH = 1000;
const TALLEST = 84;
const LABELS = 64; // so many cells can have names
const SHARES = [0.5, 0.8, 0.999, Infinity]; // up to each of them, cells have one shade

/** Columns and the size of a cell, so that the map is about as high as wide / 3. */
function grid(cells) {
  const columns = Math.max(1, Math.min(cells, Math.ceil(Math.sqrt(cells * 3.2))));
  const width = WIDTH / columns;
  return {columns, width, height: Math.min(TALLEST, Math.max(8, width * 0.62))};
}

export function HeatMap({items, resource, open, measure, words, label}) {
  const [over, setOver] = useState(-1);
  const {columns, width, height} = grid(items.length);
  const rows = Math.ceil(items.length / columns);
  const gap = Math.min(6, width / 8);
  const paths = {track: '', fits: '', part: '', out: '', 0: '', 1: '', 2: '', 3: ''};
  const [w, h] = [width - gap, height - gap];
  const box = (x, y, wide, high) => `M${round(x)} ${round(y)}h${round(wide)}v${round(high)}h${round(-wide)}z`;
  items.forEach((item, i) => {
    const [x, y] = [(i % columns) * width + gap / 2, Math.floor(i / columns) * height + gap / 2];
    const {capacity, used, bad, nodes, gangs} = measure(item, resource);
    const share = capacity > 0 ? Math.min(1, used / capacity) : 0;
    paths.track += box(x, y, w, h);
    if (share > 0) {
      paths[SHARES.findIndex(it => share <= it)] += box(x, y + h * (1 - share), w, h * share);
    }
    if (bad > 0 && bad >= nodes) {
      paths.out += `M${round(x)} ${round(y)}l${round(w)} ${round(h)}m0 ${round(-h)}l${round(-w)} ${round(h)}`;
    } else if (bad > 0) {
      const side = Math.min(w / 2, h / 2, 18);
      paths.part += `M${round(x + w - side)} ${round(y)}h${round(side)}v${round(side)}z`;
    }
    if (gangs > 0) {
      paths.fits += box(x, y, w, h);
    }
  });
  const at = event => {
    const bounds = event.currentTarget.getBoundingClientRect();
    const column = Math.floor((event.clientX - bounds.left) / bounds.width * columns);
    const row = Math.floor((event.clientY - bounds.top) / bounds.height * rows);
    const index = row * columns + column;
    return column >= 0 && column < columns && index >= 0 && index < items.length ? index : -1;
  };
  const target = over >= 0 && items[over] ? open(items[over]) : null;
  return html`<figure class="heat">
    <svg viewBox="0 0 ${WIDTH} ${round(rows * height)}" role="img" aria-label=${label}
      class=${target ? 'opens' : ''} onMouseMove=${event => setOver(at(event))} onMouseLeave=${() => setOver(-1)}
      onClick=${event => {
        const index = at(event);
        const href = index >= 0 ? open(items[index]) : null;
        if (href) {
          location.hash = href;
        }
      }}>
      <path class="track" d=${paths.track} />
      ${SHARES.map((_, i) => html`<path key=${i} class=${'share s' + i} d=${paths[i]} />`)}
      <path class="part" d=${paths.part} /><path class="out" d=${paths.out} /><path class="fits" d=${paths.fits}
        stroke-width=${round(Math.min(2.5, w / 12))} />
      ${items.length <= LABELS && items.map((item, i) => html`<text key=${i}
        x=${round((i % columns) * width + gap / 2 + 6)} y=${round(Math.floor(i / columns) * height + gap / 2 + 16)}
        >${short(item.name, w)}</text>`)}
    </svg>
    <figcaption>${over >= 0 && items[over] ? words(items[over]) : 'Point at a cell to see what it has.'}</figcaption>
  </figure>`;
}

const round = value => Math.round(value * 10) / 10;

/** The end of a name that is too long for its cell says more than its beginning. */
function short(name, width) {
  const most = Math.max(2, Math.floor((width - 10) / 8));
  const whole = String(name ?? '');
  return whole.length <= most ? whole : '…' + whole.slice(1 - most);
}

/** What the marks of the map mean. */
export const HeatLegend = ({hasGangs}) => html`<p class="legend heatlegend">
  <span><svg viewBox="0 0 18 12" aria-hidden="true"><path class="track" d="M0 0h18v12H0z" /><path class="share s0"
    d="M0 7h18v5H0z" /></svg>as full as it is used</span>
  <span><svg viewBox="0 0 18 12" aria-hidden="true"><path class="share s3" d="M0 0h18v12H0z" /></svg>all used</span>
  <span><svg viewBox="0 0 18 12" aria-hidden="true"><path class="track" d="M0 0h18v12H0z" /><path class="part"
    d="M10 0h8v8z" /></svg>some nodes take no pods, or not all</span>
  <span><svg viewBox="0 0 18 12" aria-hidden="true"><path class="track" d="M0 0h18v12H0z" /><path class="out"
    d="M0 0l18 12m0-12L0 12" /></svg>no node takes all pods</span>
  ${hasGangs && html`<span><svg viewBox="0 0 18 12" aria-hidden="true"><path class="track" d="M0 0h18v12H0z" /><path
    class="fits" d="M1 1h16v10H1z" /></svg>a gang fits</span>`}
</p>`;
