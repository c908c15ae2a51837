// Turns what the API says into what people read. Nothing here trusts the shape of its input.

/** A list, whatever was sent. @param {unknown} value @returns {any[]} */
export const list = value => Array.isArray(value) ? value : [];

/** The objects in a list, whatever was sent. @param {unknown} value @returns {any[]} */
export const objects = value =>
  list(value).filter(it => it !== null && typeof it === 'object' && !Array.isArray(it));

/** A text, whatever was sent. @param {unknown} value */
export const text = value => value == null ? '' : String(value);

/** A whole number that is not negative, whatever was sent. @param {any} value @returns {number} */
export const count = value => Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;

const BINARY = {Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60};
const DECIMAL = {n: 1e-9, u: 1e-6, m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18};
const QUANTITY = /^([+-]?[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?)([KMGTPE]i|[numkMGTPE]?)$/;

/** The number that a quantity of Kubernetes is; NaN for what is none. @param {unknown} quantity */
export function number(quantity) {
  const found = QUANTITY.exec(text(quantity).trim());
  return found ? Number(found[1]) * (BINARY[found[2]] ?? DECIMAL[found[2]]) : NaN;
}

const BYTES = /memory|storage|hugepages/;

/** A quantity as people read it: 12, 1.5, 64Gi. What cannot be read is shown as it came. */
export function amount(quantity, resource) {
  const value = number(quantity);
  if (Number.isNaN(value)) {
    return text(quantity);
  }
  return BYTES.test(text(resource)) ? scaled(value, BINARY, 1024) : scaled(value, DECIMAL, 10_000);
}

function scaled(value, units, first) {
  const size = Math.abs(value);
  if (size < first) {
    return round(value);
  }
  const fitting = Object.entries(units).filter(([, unit]) => unit >= 1000 && size >= unit).at(-1);
  return fitting ? round(value / fitting[1]) + fitting[0] : round(value);
}

const round = value => String(Number(value.toFixed(Math.abs(value) < 10 ? 2 : 1)));

/** A resource as people call it. @param {unknown} resource @returns {string} */
export const resourceName = resource =>
  ({'nvidia.com/gpu': 'GPU', 'amd.com/gpu': 'GPU (AMD)', cpu: 'CPU', memory: 'Memory', pods: 'Pods'})[
    text(resource)] ?? text(resource);

/** @type {[number, string, number, string][]} */
const STEPS = [[86_400, 'd', 3600, 'h'], [3600, 'h', 60, 'm'], [60, 'm', 1, 's']];

/** How long that is, in at most two units. @param {number} seconds */
export function duration(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  for (const [unit, name, part, partName] of STEPS) {
    if (whole >= unit) {
      const rest = Math.floor((whole % unit) / part);
      return Math.floor(whole / unit) + name + (rest ? ' ' + rest + partName : '');
    }
  }
  return whole + 's';
}

/** A time of this day as hours and minutes, of another one with its date. @param {unknown} time */
export function clock(time) {
  const then = new Date(text(time));
  if (Number.isNaN(then.getTime())) {
    return '?';
  }
  const hours = then.toLocaleTimeString('en-GB', {hour: '2-digit', minute: '2-digit'});
  return then.toDateString() === new Date().toDateString() ? hours
    : then.toLocaleDateString('en-CA') + ' ' + hours;
}

/** A number with separators of thousands. */
export const grouped = value => Number(value).toLocaleString('en-US');

/** The words of a reason that is written as one: NoQuotaAvailable -> No quota available. */
export function words(reason) {
  const spaced = text(reason).replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
