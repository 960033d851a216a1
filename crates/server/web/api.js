// The page for trying the API: builds a form for every route of the OpenAPI document. No library, no inline script.
// @ts-check

/** The base path of the house on its site. */
const BASE = new URL('.', import.meta.url).pathname.replace(/\/$/, '');

/** @param {string} tag @param {Record<string, string>} [attributes] @param {(Node | string)[]} children */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * Returns an example value for a schema.
 * @param {any} schema @param {any} all @param {number} [depth] @returns {any}
 */
function example(schema, all, depth = 0) {
  if (!schema || depth > 6) return null;
  if (schema.$ref) return example(all[schema.$ref.split('/').pop()], all, depth + 1);
  if (schema.example !== undefined) return schema.example;
  if (schema.enum) return schema.enum[0];
  const kind = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (kind === 'object') {
    const pairs = Object.entries(schema.properties ?? {});
    return Object.fromEntries(pairs.map(([name, inner]) => [name, example(inner, all, depth + 1)]));
  }
  if (kind === 'array') return [];
  if (kind === 'integer' || kind === 'number') return schema.minimum ?? 0;
  if (kind === 'boolean') return false;
  return kind === 'string' ? '' : null;
}

/** @param {string} method @param {string} path @param {any} operation @param {any} schemas */
function route(method, path, operation, schemas) {
  const fields = new Map();
  const form = element('form');
  for (const parameter of operation.parameters ?? []) {
    const input = element('input', { name: parameter.name });
    fields.set(parameter, input);
    form.append(element('label', {}, `${parameter.name} (${parameter.in})`, input));
  }
  const content = operation.requestBody?.content?.['application/json'];
  const body = element('textarea', { spellcheck: 'false' });
  if (content) {
    body.textContent = JSON.stringify(example(content.schema, schemas), null, 2);
    form.append(element('label', {}, 'body', body));
  }
  const output = element('pre', { hidden: '', tabindex: '0' });
  form.append(element('button', {}, 'Send'), output);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    let address = path;
    const query = new URLSearchParams();
    for (const [parameter, input] of fields) {
      const value = /** @type {HTMLInputElement} */ (input).value;
      if (parameter.in === 'path') address = address.replace(`{${parameter.name}}`, encodeURIComponent(value));
      else if (value !== '') query.set(parameter.name, value);
    }
    const text = query.size ? `${address}?${query}` : address;
    const options = { method: method.toUpperCase(), headers: /** @type {Record<string, string>} */ ({}) };
    if (content) {
      options.headers['content-type'] = 'application/json';
      Object.assign(options, { body: /** @type {HTMLTextAreaElement} */ (body).value });
    }
    const answer = await fetch(BASE + text, options);
    const raw = await answer.text();
    let shown = raw;
    try {
      shown = JSON.stringify(JSON.parse(raw), null, 2);
    } catch {
      /* not JSON: show it unchanged */
    }
    output.textContent = `${answer.status}\n${shown}`;
    output.removeAttribute('hidden');
  });
  const roles = (operation['x-roles'] ?? []).join(', ');
  const summary = element(
    'summary',
    {},
    element('b', {}, method.toUpperCase()),
    path,
    element('br'),
    element('small', {}, `${operation.summary ?? ''} For: ${roles}.`),
  );
  return element('details', {}, summary, form);
}

const place = /** @type {HTMLElement} */ (document.getElementById('routes'));
const spec = await (await fetch(`${BASE}/api/openapi.json`)).json();
place.replaceChildren();
for (const [path, item] of Object.entries(spec.paths)) {
  for (const [method, operation] of Object.entries(item)) {
    place.append(route(method, path, operation, spec.components?.schemas ?? {}));
  }
}
