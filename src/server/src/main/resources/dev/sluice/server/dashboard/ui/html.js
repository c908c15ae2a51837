// The one place that binds htm to Preact, and hands out what components need.
import {h} from './vendor/preact.mjs';
import htm from './vendor/htm.mjs';

export {render} from './vendor/preact.mjs';
export {useEffect, useMemo, useRef, useState} from './vendor/hooks.mjs';
export const html = htm.bind(h);
