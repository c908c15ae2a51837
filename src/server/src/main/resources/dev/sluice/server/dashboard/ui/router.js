// Addresses: everything that a page shows is in the fragment, as #/part/part?name=value, so that a
// page can be bookmarked, and the server needs to know nothing but files.
import {useEffect, useState} from './html.js';

/** The parts and parameters of a fragment. @param {string} hash */
export function parse(hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return {
    parts: path.split('/').filter(part => part !== '').map(decode),
    params: new URLSearchParams(query),
  };
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a broken address leads to a page that says so
  }
}

/**
 * The address of a page. Parameters without a value are left out.
 * @param {string[]} parts
 * @param {Record<string, string|null|undefined>} params
 */
export function address(parts, params = {}) {
  const query = new URLSearchParams(
    Object.entries(params).filter(([, value]) => value !== '' && value != null)
      .map(([name, value]) => [name, String(value)])).toString();
  return '#/' + parts.map(encodeURIComponent).join('/') + (query ? '?' + query : '');
}

/** @param {string} name */
export const toClusterQueue = name => address(['clusterqueues', name]);
export const toLocalQueue = (namespace, name) =>
  address(['namespaces', namespace, 'localqueues', name]);
export const toWorkload = (namespace, name) =>
  address(['namespaces', namespace, 'workloads', name]);

/**
 * Changes parameters of the present page. Filters replace the entry of the history.
 * @param {Record<string, string>} params
 */
export function change(params, replace = true) {
  const route = parse(location.hash);
  const next = address(route.parts, {...Object.fromEntries(route.params), ...params});
  if (replace) {
    history.replaceState(null, '', next);
    dispatchEvent(new HashChangeEvent('hashchange'));
  } else {
    location.hash = next;
  }
}

/** The present page; the component is drawn again when it changes. */
export function useRoute() {
  const [route, setRoute] = useState(() => parse(location.hash));
  useEffect(() => {
    const changed = () => setRoute(parse(location.hash));
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return route;
}
