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
export type Route<P extends string> = {
  [K in keyof paths & string]: Fits<Parts<Addressed<P>>, Parts<K>> extends true ? K : never;
}[keyof paths & string];

type Operation<P extends string, M extends string> = Route<P> extends infer R
  ? R extends keyof paths
    ? paths[R] extends Record<M, infer O>
      ? O
      : never
    : never
  : never;
type Content<T> = T extends { content: infer C } ? (C extends { 'application/json': infer J } ? J : string) : undefined;
type Success<T> = T extends { responses: infer R }
  ? { [S in keyof R]: S extends 200 | 201 | 202 | 204 ? Content<R[S]> : never }[keyof R]
  : never;

export type Answer<P extends string, M extends string = 'get'> = Success<Operation<P, M>>;
export type Asked<P extends string, M extends string> = Operation<P, M> extends { requestBody?: infer B }
  ? Content<NonNullable<B>>
  : undefined;

/** An event with the fields of all events: which there are depends on its word. */
type Fields<U> = U extends unknown ? keyof U : never;
type Value<U, K extends PropertyKey> = U extends unknown ? (K extends keyof U ? U[K] : never) : never;
export type Loose<U> = { [K in Fields<U>]?: Value<U, K> };

export type View = Schemas['View'];
export type BoxView = Schemas['BoxView'];
export type TableCard = Schemas['TableCard'];
export type TableFacts = Schemas['TableFacts'];
export type TableRules = Schemas['TableRules'];
export type Event = Schemas['Event'];
export type Me = Schemas['MeView'];
