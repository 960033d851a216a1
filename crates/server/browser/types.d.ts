// What the house tells and takes, by address, from its own description (`house.d.ts` is made of it by `run`).

import type { components, paths } from './house';

export type Schemas = components['schemas'];

type Addressed<P extends string> = P extends `${infer Q}?${string}` ? Q : P;
type Parts<P extends string> = P extends `${infer A}/${infer B}` ? [A, ...Parts<B>] : [P];
/** Is an address one of this pattern, part by part? */
type Fits<A, P> = A extends [infer One, ...infer Others]
  ? P extends [infer Part, ...infer Further]
    ? Part extends `{${string}}`
      ? Fits<Others, Further>
      : One extends Part
        ? Fits<Others, Further>
        : false
    : false
  : P extends []
    ? true
    : false;

/** The pattern that an address is of; none where the house has no such address. */
export type Route<P extends string> = P extends string
  ? { [K in keyof paths & string]: Fits<Parts<Addressed<P>>, Parts<K>> extends true ? K : never }[keyof paths & string]
  : never;

type Operation<P extends string, M extends string> =
  Route<P> extends infer R
    ? R extends keyof paths
      ? paths[R] extends Record<M, infer O>
        ? O
        : never
      : never
    : never;
/** As the page has it: any field of an event may be asked for, and what a table waits for has the fields of all kinds. */
type Seen<T> = T extends Schemas['Event']
  ? Event
  : T extends Schemas['Awaiting']
    ? Awaiting
    : T extends (infer I)[]
      ? Seen<I>[]
      : T extends object
        ? { [K in keyof T]: Seen<T[K]> }
        : T;
type Content<T> = T extends { content: infer C } ? (C extends { 'application/json': infer J } ? J : string) : undefined;
type Success<T> = T extends { responses: infer R }
  ? { [S in keyof R]: S extends 200 | 201 | 202 | 204 ? Content<R[S]> : never }[keyof R]
  : never;

export type Answer<P extends string, M extends string = 'get'> = Seen<Success<Operation<P, M>>>;
export type Asked<P extends string, M extends string> =
  Operation<P, M> extends { requestBody?: infer B } ? Content<NonNullable<B>> : undefined;

/** One of several kinds of things with the fields of all of them: which there are depends on its word. */
type Fields<U> = U extends unknown ? keyof U : never;
type Value<U, K extends PropertyKey> = U extends unknown ? (K extends keyof U ? U[K] : never) : never;
export type Merged<U> = { [K in Fields<U>]: Exclude<Value<U, K>, undefined> };

/**
 * An event by its word: `event.event` says which fields it has. A field of other events may be asked for too, and is
 * `undefined`.
 */
type Kinds<U, All = U> = U extends unknown ? U & { [K in Exclude<Fields<All>, keyof U>]?: undefined } : never;
export type Event = Kinds<Schemas['Event']>;
export type EventOf<W extends Event['event']> = Extract<Event, { event: W }>;
export type Awaiting = Merged<Schemas['Awaiting']>;
/** How a wager ended, as an event tells it and as a view does. */
export type Result = Schemas['Settlement'] & { clause?: string };
/** What everyone sees of a table of the house, of a training table or of a rehearsal. */
export type View = Omit<Schemas['View'], 'awaiting' | 'boxes' | 'events' | 'at' | 'deadline_ms' | 'type'> & {
  at?: string;
  deadline_ms?: number | null;
  awaiting: Awaiting;
  boxes: BoxView[];
  events: Event[];
};
export type BoxView = Omit<Schemas['BoxView'], 'awaiting'> & { awaiting?: Awaiting };
export type Me = Schemas['MeView'];

/** What somebody asks for at a table, before it has its id. */
export type Command = Partial<Omit<Merged<Schemas['Request']>, 'do'>> & { do: string };
export type Done = Schemas['ActionAnswer'];
/** What the live view of a table says. */
export type Message =
  | (View & { type: 'view' })
  | { type: 'private'; version: number; boxes: BoxView[] }
  | { type: 'balance'; balance: string; chips: 'cash' | 'play' }
  | { type: 'ack'; id: string; done: Done }
  | { type: 'refused'; id: string; error?: { code?: string; message?: string; clause?: string } };

/** Stakes by count; `docs/schema/ramp.json` names its two kinds by their required fields, which `house.d.ts` cannot say. */
export interface Ramp {
  ramp: { count: number; stake: number; frequency: number; ev: number; std_dev: number; ev_error: number }[];
  ramp_text: string;
  score: number;
  n0: number | null;
  risk_of_ruin: number;
  win_per_100: number;
  std_dev_100?: number;
  c_score?: number;
  average_stake?: number;
  index_plays?: number;
}
/** Stakes that nothing can reach, and why. */
export interface RampRefused {
  refused: { reason: string; least_risk: number };
}
export type RampAnswer = Ramp | RampRefused;
