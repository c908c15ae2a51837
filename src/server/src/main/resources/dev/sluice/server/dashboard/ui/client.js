// Asks the API. Nothing is held open: a page asks again once a second while it is visible, and says
// what it has, so that an answer without news costs nothing.
import {useEffect, useState} from './html.js';

const ROOT = new URL('../apis/view.sluice.dev/v1alpha1/', location.href.split('#')[0]);
const PATIENCE = 20_000;
const KEY = 'sluice-key';

let polls = 0;
let token = ''; // kept here only: it is gone with the page
const listeners = new Set();

/**
 * Why something cannot be shown.
 * @typedef {{status: number, reason?: string, message: string}} Failure
 */

/**
 * What is known of a resource. Nothing trusts the shape of the data.
 * @typedef {{resource?: string|null, data?: any, error?: Failure}} Known
 */

/**
 * When an answer came last, and what is wrong since; for the mark at the top of the page.
 * @type {{since: number, problem: string, refused: Failure|null}}
 */
export const link = {since: 0, problem: '', refused: null};

function tell(change) {
  Object.assign(link, change);
  listeners.forEach(listener => listener());
}

/** The state of the link to the server; the component is drawn again when it changes. */
export function useLink() {
  const [, draw] = useState(0);
  useEffect(() => {
    const changed = () => draw(count => count + 1);
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, []);
  return link;
}

/** Takes the key of a dashboard on this machine out of the address; it stays with the tab. */
export function takeKey(route) {
  const key = route.params.get('key');
  if (key) {
    sessionStorage.setItem(KEY, key);
  }
  return Boolean(key);
}

/** Whether this page comes from sluice dashboard, which asks with the rights of its user. */
export const isLocal = () => sessionStorage.getItem(KEY) !== null;

/** Whether a page asks again and again for something that it shows. */
export const isAsking = () => polls > 0;

/** Whether somebody has signed in here, with a token. */
export const hasToken = () => token !== '';

export function signIn(given) {
  token = given.trim();
  tell({refused: null});
}

export function signOut() {
  token = '';
  tell({refused: {message: '', reason: ''}});
}

function headers(more) {
  const key = sessionStorage.getItem(KEY);
  return {
    Accept: 'application/json',
    ...(key ? {'X-Sluice-Key': key} : {}),
    ...(token ? {Authorization: 'Bearer ' + token} : {}),
    ...more,
  };
}

/** The path of a resource of names. @param {string[]} parts */
export const path = parts => parts.map(encodeURIComponent).join('/');

async function send(resource, options) {
  const answer = await fetch(new URL(resource, ROOT), {
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE),
    ...options,
  });
  if (answer.status === 304) {
    return {status: 304};
  }
  const text = await answer.text();
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    body = {message: 'the answer is no JSON'};
  }
  return {
    status: answer.status,
    isGood: answer.ok && body !== null && typeof body === 'object',
    body: body ?? {},
    tag: answer.headers.get('ETag') ?? '',
    retryAfter: Number(answer.headers.get('Retry-After')) || 0,
  };
}

/**
 * Asks for a simulation.
 * @param {string} resource
 * @param {{objects?: any[], edits?: any[]}} spec
 * @returns {Promise<{status?: any, error?: Failure}>}
 */
export async function simulate(resource, spec) {
  try {
    const answer = await send(resource, {
      method: 'POST',
      headers: headers({'Content-Type': 'application/json'}),
      body: JSON.stringify({apiVersion: 'view.sluice.dev/v1alpha1', kind: 'Simulation', spec}),
    });
    return answer.isGood
      ? {status: answer.body.status ?? {}}
      : {error: failure(answer)};
  } catch (e) {
    return {error: {status: 0, message: 'The server cannot be reached.'}};
  }
}

function failure(answer) {
  return {
    status: answer.status,
    reason: String(answer.body.reason ?? ''),
    message: String(answer.body.message ?? 'HTTP status ' + answer.status),
  };
}

/**
 * What is there now, asked again and again. Without data and error nothing is known yet. Of an answer
 * that refuses nothing older is kept; a server that is away leaves what was known.
 * @param {string|null} resource its path below the API; null for nothing
 * @param {number} every milliseconds from an answer to the next question
 * @returns {Known}
 */
export function usePoll(resource, every = 1000) {
  const [known, setKnown] = useState(/** @type {Known} */ ({}));
  const shown = known.resource === resource ? known : {};
  const {refused} = useLink();
  useEffect(() => {
    if (resource === null || (refused !== null && !isLocal() && token === '')) {
      return () => {}; // nobody has signed in
    }
    let timer = 0;
    let isOver = false;
    let tag = '';
    let asking = false;
    const again = delay => {
      clearTimeout(timer);
      if (!isOver && !document.hidden) {
        timer = setTimeout(ask, delay);
      }
    };
    const show = next => {
      if (!isOver) {
        setKnown({resource, ...next});
      }
    };
    async function ask() {
      if (asking) {
        return;
      }
      asking = true;
      let delay = every;
      try {
        const answer = await send(
          resource, {headers: headers(tag ? {'If-None-Match': tag} : {})});
        if (isOver) {
          return;
        }
        if (answer.status === 304) {
          tell({since: Date.now(), problem: '', refused: null});
        } else if (answer.isGood) {
          tag = answer.tag;
          show({data: answer.body});
          tell({since: Date.now(), problem: '', refused: null});
        } else {
          const error = failure(answer);
          delay = Math.max(2 * every, 1000 * (answer.retryAfter ?? 0));
          if (answer.status === 401) {
            tag = '';
            show({error});
            tell({refused: error});
          } else if (answer.status >= 500 || answer.status === 429) {
            setKnown(before => isOver ? before : {
              resource,
              data: before.resource === resource ? before.data : undefined,
              error: before.resource === resource && before.data ? undefined : error,
            });
            tell({problem: error.message});
          } else {
            tag = '';
            show({error});
            tell({since: Date.now(), problem: '', refused: null});
          }
        }
      } catch {
        delay = 2 * every;
        if (!isOver) {
          tell({problem: 'The server cannot be reached.'});
        }
      } finally {
        asking = false;
        again(delay);
      }
    }
    const visible = () => again(0);
    polls++;
    document.addEventListener('visibilitychange', visible);
    again(0);
    return () => {
      isOver = true;
      polls--;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', visible);
    };
  }, [resource, every, refused === null, token]);
  return refused === null ? shown : {error: refused};
}
