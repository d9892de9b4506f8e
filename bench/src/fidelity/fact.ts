import type { JsonObject, JsonValue } from './json.ts'

export type ProtocolName = 'chat' | 'messages' | 'genai'
export const PROTOCOLS: readonly ProtocolName[] = ['chat', 'messages', 'genai']

/** What a look at a body finds of a fact: it stands there, nothing stands there, something else stands there. */
export type Found = 'kept' | 'gone' | 'wrong'
export type Look = (body: JsonValue) => Found

/**
 * Whether and where a protocol can say a fact, written by hand from its specification. `nearly`: only something close can be said,
 * so that a report is due as well. `perhaps`: some upstreams take it, so that keeping and reporting are both right. `never`: a
 * report is all that can be asked for. `elsewhere`: said outside of the body, in a path or header, where nobody looks.
 */
export type Saying = Look | { readonly nearly: Look } | { readonly perhaps: Look } | 'never' | 'elsewhere'

/** One fact, and how each protocol says it. */
export interface Fact {
  readonly name: string
  /** What a report that names the loss of it says, in the words of any converter. */
  readonly words: RegExp
  readonly in: { readonly [Name in ProtocolName]: Saying }
  /** Follows from what is missing: the wire itself does not state it. */
  readonly unsaid?: true
}

export type Kind = 'request' | 'response' | 'stream' | 'error'

/** Something said in one protocol, and the facts in it. */
export interface Fixture {
  readonly area: string
  readonly name: string
  readonly kind: Kind
  readonly from: ProtocolName
  /** A body; for streams `text`, the events as they are sent; for errors `status` and `body`. */
  readonly wire: JsonObject
  readonly facts: readonly Fact[]
  /** An answer that its client sends back: the facts are about the request that its upstream gets then. */
  readonly echoed?: true
  /** Whose model it is that the target reaches, where that is another one than its protocol's own. */
  readonly issuer?: string
}

export function fact(name: string, words: RegExp, sayings: Fact['in']): Fact {
  return { name, words, in: sayings }
}

/** Something to be said: the same meaning in each protocol that has words for it. */
export interface Idea {
  readonly name: string
  readonly in: { readonly [Name in ProtocolName]?: JsonObject }
  readonly facts: readonly Fact[]
  readonly issuer?: string
  /** Cannot be streamed, or not in a way of its own. */
  readonly whole?: true
}

/** The fixtures of some ideas: one for each protocol that can say them. */
export function fixturesOf(kind: Kind, area: string, ideas: readonly Idea[]): Fixture[] {
  return ideas.flatMap(({ name, in: wires, facts, issuer }) =>
    PROTOCOLS.flatMap((from) => {
      const wire = wires[from]
      return wire === undefined
        ? []
        : [{ area, name, kind, from, wire, facts, ...(issuer === undefined ? {} : { issuer }) }]
    }),
  )
}
