// The frame around all pages, and which page an address means.
import {html, render, useEffect, useState} from './html.js';
import {hasToken, isAsking, isLocal, signIn, signOut, takeKey, useLink, usePoll} from './client.js';
import {address, parse, useRoute} from './router.js';
import {Overview} from './overview.js';
import {ClusterQueue, LocalQueue} from './queue.js';
import {Workload} from './workload.js';
import {WhatIf} from './whatif.js';
import {Nodes} from './nodes.js';
import {Log} from './log.js';
import {Problem, Sign, Title} from './parts.js';
import {duration, objects, text} from './format.js';

const THEMES = ['auto', 'light', 'dark'];
const THEME = 'sluice-theme';

const opened = parse(location.hash);
if (takeKey(opened)) {
  opened.params.delete('key'); // it is not for bookmarks
  history.replaceState(null, '', address(opened.parts, Object.fromEntries(opened.params)));
}
document.documentElement.dataset.theme = localStorage.getItem(THEME) ?? THEMES[0];

function page(route) {
  const [kind, first, second, third, ...more] = route.parts;
  if (kind === undefined) {
    return html`<${Overview} route=${route} />`;
  }
  if (kind === 'whatif' && first === undefined) {
    return html`<${WhatIf} route=${route} />`;
  }
  if (kind === 'log' && first === undefined) {
    return html`<${Log} route=${route} />`;
  }
  if (kind === 'nodes' && first === undefined) {
    return html`<${Nodes} route=${route} />`;
  }
  if (kind === 'clusterqueues' && first && second === undefined) {
    return html`<${ClusterQueue} key=${first} name=${first} route=${route} />`;
  }
  if (kind === 'namespaces' && third && more.length === 0) {
    if (second === 'localqueues') {
      return html`<${LocalQueue} key=${first + third} namespace=${first} name=${third} route=${route} />`;
    }
    if (second === 'workloads') {
      return html`<${Workload} key=${first + third} namespace=${first} name=${third} />`;
    }
  }
  return html`<${Title} name="No such page" />
    <${Problem} error=${{status: 404, message: 'The address leads to no page.'}} />`;
}

/** The pages that the head of each page leads to; the first one has all that no other has. */
const HEADS = [['', 'Queues'], ['nodes', 'Nodes'], ['log', 'Log'], ['whatif', 'What if']];

function App() {
  const route = useRoute();
  const {refused} = useLink();
  const here = HEADS.some(([kind]) => kind === route.parts[0]) ? route.parts[0] : '';
  return html`
    <a class="skip" href="#main" onClick=${event => {
      event.preventDefault();
      document.getElementById('main')?.focus();
    }}>To the content</a>
    <header><a class="brand" href="#/"><img src="icon.svg" alt="" width="20" height="20" />Sluice</a>
      <nav aria-label="Pages">
        ${HEADS.map(([kind, name]) => html`<a key=${kind} href=${'#/' + kind}
          aria-current=${kind === here ? 'page' : null}>${name}</a>`)}
      </nav>
      <${Mark} /><${Theme} />
      ${hasToken() && !refused && html`<button onClick=${signOut}>Sign out</button>`}
    </header>
    <main id="main" tabindex="-1">${isLocal() && !refused && html`<${Source} />`}${refused ? html`<${Gate} refused=${refused} />` : page(route)}</main>`;
}

/** Says so where this program reads the cluster by itself, and what it may not read. */
function Source() {
  const {data} = usePoll('/source', 5000);
  if (data?.reads !== 'cluster') {
    return null;
  }
  const lacking = objects(data.lacking);
  return html`<details class="card source"><summary><${Sign} name=${lacking.length > 0 ? 'bad' : 'off'} />Read
      from the cluster by this program, with your rights.${lacking.length > 0
      && ' Not all can be shown.'}</summary>
    <p>No server of view.sluice.dev is asked: sluice dashboard follows the objects of the cluster itself. The
      order in a queue is that of a scheduler with ${data.configuration === 'given'
        ? 'the configuration that was given with --config.'
        : 'the default configuration. If yours has another one, name it with --config.'}</p>
    ${lacking.length > 0 && html`<ul class="plain">${lacking.map(it => html`
      <li key=${text(it.kind)}><b>${text(it.kind)}</b>: ${text(it.why)}</li>`)}</ul>`}</details>`;
}

/** Whether what is shown is of now. */
function Mark() {
  const {since, problem} = useLink();
  const [, draw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => draw(count => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const age = (Date.now() - since) / 1000;
  if (!isAsking()) {
    return null; // the page shows nothing that could be old
  }
  if (since === 0 && !problem) {
    return html`<span class="mark">Connecting …</span>`;
  }
  return problem || age > 8
    ? html`<span class="mark old" role="status" title=${problem}><${Sign} name="bad" />${since === 0
      ? problem : 'Old: of ' + duration(age) + ' ago'}<span class="unseen"> ${problem}</span></span>`
    : html`<span class="mark live"><i />Live</span>`;
}

function Theme() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? THEMES[0]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  return html`<button class="withsign" aria-label=${`Theme: ${theme}. Change to ${next}`} onClick=${() => {
    document.documentElement.dataset.theme = next;
    localStorage.setItem(THEME, next);
    setTheme(next);
  }}><${Sign} name="theme" /><span class="word">${
    theme.charAt(0).toUpperCase() + theme.slice(1)}</span></button>`;
}

/** What is shown to somebody whom the server does not know, or no longer. */
function Gate({refused}) {
  const [given, setGiven] = useState('');
  if (refused.reason === 'KeyRequired') {
    return html`<${Title} name="Closed" />
      <${Problem} error=${{status: 0, message: 'Open the address that sluice dashboard has printed. '
        + 'It has a key, which a new start changes.'}} />`;
  }
  if (isLocal()) {
    return html`<${Title} name="Not known" /><${Problem} error=${{status: 0, message:
      'The cluster does not accept your credentials any more: ' + refused.message
      + '. Log in again; this page goes on by itself.'}} />`;
  }
  return html`<${Title} name="Sign in" />
    ${refused.message && hasToken() && html`<${Problem} error=${{status: 0,
      message: 'The token is not accepted, or not any more: ' + refused.message}} />`}
    <form class="card open" onSubmit=${event => {
      event.preventDefault();
      signIn(given);
      setGiven('');
    }}>
      <h2>Sign in to the cluster</h2>
      <label class="grow">Bearer token<input type="password" autocomplete="off" required value=${given}
        onInput=${event => setGiven(event.target.value)} /></label>
      <button class="primary">Sign in</button>
      <p class="muted">For example, of <code>kubectl create token NAME</code>. The token stays in the
        memory of this page, and is gone when you close it.</p>
    </form>`;
}

const root = /** @type {HTMLElement} */ (document.getElementById('app'));
root.replaceChildren();
render(html`<${App} />`, root);
