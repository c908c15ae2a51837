// Bars of quota. A bar is as long as the quota, or as the use where that is more.
import {html} from './html.js';
import {amount, number, resourceName, text} from './format.js';

/** What of it is used, borrowed, lent and free, as numbers. */
export function measured(pair) {
  const read = name => {
    const value = number(pair[name]);
    return Number.isFinite(value) ? Math.max(0, value) : 0;
  };
  const quota = read('quota');
  const used = read('used');
  const borrowed = read('borrowed');
  const lent = Math.min(read('lent'), Math.max(0, quota - used));
  return {quota, used, borrowed, lent, whole: Math.max(quota, used)};
}

const percent = (part, whole) => whole > 0 ? Math.min(100, 100 * part / whole) : 0;

/** Parts of a whole, side by side: [class, part] each. */
export const Parts = ({parts, whole, label}) => html`
  <div class="bar" role="img" aria-label=${label}>
    ${parts.map(([name, part]) => part > 0 && html`
      <i class=${name} style=${{width: percent(part, whole).toFixed(2) + '%'}} />`)}
  </div>`;

/** One resource of one flavor: the flavor, the bar, and the numbers. */
export function Quota({pair, showResource = false}) {
  const {quota, used, borrowed, lent, whole} = measured(pair);
  const shown = value => amount(value, pair.resource);
  const more = borrowed > 0 ? `${shown(borrowed)} borrowed` : lent > 0 ? `${shown(lent)} lent` : '';
  const brief = borrowed > 0 ? '+' + shown(borrowed) : lent > 0 ? '−' + shown(lent) : '';
  const label = `${text(pair.flavor)}, ${resourceName(pair.resource)}: `
    + `${shown(used)} of ${shown(quota)} used${more ? ', ' + more : ''}`;
  return html`<div class="quota">
    <span class="flavor" title=${text(pair.flavor)}>${showResource
      ? html`${resourceName(pair.resource)} <span class="muted">${text(pair.flavor)}</span>`
      : text(pair.flavor)}</span>
    <${Parts} label=${label} whole=${whole} parts=${[
      ['own', used - borrowed], ['borrowed', borrowed], ['lent', lent]]} />
    <span class="numbers"><b>${shown(used)}</b> / ${shown(quota)}</span>
    <span class=${'more ' + (borrowed > 0 ? 'isborrowed' : 'islent')} title=${more}>${
      showResource ? more : brief}</span>
  </div>`;
}

/** What the parts of a bar mean. */
export const Legend = () => html`<p class="legend">
  <span><i class="own" />used</span>
  <span><i class="borrowed" />borrowed from the cohort (+)</span>
  <span><i class="lent" />lent to others (−)</span>
  <span><i class="free" />free</span>
</p>`;
