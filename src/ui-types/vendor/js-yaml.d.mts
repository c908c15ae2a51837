// What the dashboard uses of js-yaml, which has no types of its own.
export const CORE_SCHEMA: unknown;
export function loadAll(text: string, options: {schema: unknown}): any[];
