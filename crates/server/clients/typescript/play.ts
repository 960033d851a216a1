// With a client generated from the house's own description: signs in, plays a round of Switch, reads the audit.
//
//   node play.js BASE SUPERVISOR_TOKEN

import createClient from 'openapi-fetch';
import type { components, paths } from './house.js';

type Awaiting = components['schemas']['Awaiting'];
type Action = components['schemas']['Action'];
type Event = components['schemas']['Event'];

const [baseUrl, supervisor] = process.argv.slice(2) as [string, string];
let count = 0;
const id = () => `ts-${++count}`;
const as = (token: string) => createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

/** What came back, or an error that says what the house said. */
function got<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

/** What somebody who wants nothing says; nothing where nobody is asked. */
function answer(awaiting: Awaiting): Action | undefined {
  switch (awaiting.what) {
    case 'decision':
      return { id: id(), do: 'stand', box: awaiting.box };
    case 'switch':
    case 'revocation':
      return { id: id(), do: 'decline-switch', box: awaiting.box };
    case 'cut':
      return { id: id(), do: 'decline-cut', box: awaiting.box };
    case 'offer':
      return { id: id(), do: 'decline', box: awaiting.asked[0]!.box, offer: awaiting.offer };
    default:
      return undefined;
  }
}

const nobody = createClient<paths>({ baseUrl });
const credentials = { name: 'tess', password: 'correct horse tess' };
got(await nobody.POST('/api/people', { body: credentials }));
const tess = as(got(await nobody.POST('/api/sessions', { body: credentials })).token);

const tables = got(await nobody.GET('/api/tables'));
const table = tables.find((card) => card.game === 'switch')!.table;
const path = { table };
const look = async () => got(await tess.GET('/api/tables/{table}', { params: { path } })).view;
const act = async (body: Action) => got(await tess.POST('/api/tables/{table}/actions', { params: { path }, body }));

let view = await look();
const round = view.round;
await act({ id: id(), round, do: 'wager', box: 2, amounts: ['10.00'], side: {}, behind: false });
await act({ id: id(), round, do: 'deal' });
while ((view = await look()).round === round) {
  const deed = answer(view.awaiting);
  if (deed) await act({ ...deed, round });
  await new Promise((resolve) => setTimeout(resolve, 30));
}

const told = got(await tess.GET('/api/tables/{table}/rounds/{round}', { params: { path: { table, round } } }));
const events: Event[] = told.steps.flatMap((step) => step.events);
const settled = events.filter((event) => event.event === 'settled');

const boss = as(supervisor);
const hired = got(await boss.POST('/api/staff/people', { body: { name: 'audrey', role: 'auditor' } }));
if (!('one_time_password' in hired)) throw new Error('a second person must approve this');
const once = { name: 'audrey', password: hired.one_time_password };
const audrey = as(got(await nobody.POST('/api/sessions', { body: once })).token);
await audrey.PUT('/api/me/password', { body: { old: hired.one_time_password, new: 'correct horse audrey' } });
const journal = got(await audrey.GET('/api/journal', { params: { query: { limit: 500 } } }));

console.log(
  JSON.stringify({
    round,
    settled: settled.map((event) => ({ wager: event.wager, net: event.net, clause: event.clause })),
    records: journal.items.length,
    head: got(await nobody.GET('/api/journal/head')),
  }),
);
