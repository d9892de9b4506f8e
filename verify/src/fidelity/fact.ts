import type { JsonObject, JsonValue } from './json.ts'

export type ProtocolName = 'chat' | 'messages' | 'genai' | 'responses'
export const PROTOCOLS: readonly ProtocolName[] = ['chat', 'messages', 'genai', 'responses']

/** What a look at a body finds: the right value, nothing, or another value. */
export type Found = 'kept' | 'gone' | 'wrong'
export type Look = (body: JsonValue) => Found

/**
 * Whether and where a protocol can express a fact, written by hand from its specification. `nearly`: it can express only something
 * similar, so that a report is needed too. `perhaps`: some upstreams accept it, so that keeping and reporting are both right. `never`: it
 * can only be reported. `elsewhere`: it is outside the body, in a path or header, and is not checked.
 */
export type Expectation = Look | { readonly nearly: Look } | { readonly perhaps: Look } | 'never' | 'elsewhere'

/** One fact, and how each protocol expresses it. */
export interface Fact {
  readonly name: string
  /** Matches a report that names the loss of it, in the words of any converter. */
  readonly pattern: RegExp
  readonly in: { readonly [Name in ProtocolName]: Expectation }
  /**
   * How a response expresses it in its own protocol after it was translated to this one and back; by default as before. Seals that genai
   * carries are at their parts again only in a request, which the conversations check: a stream has ended the part when they come.
   */
  readonly returned?: { readonly [Name in ProtocolName]?: Look }
  /** The fact follows from something that is absent; the wire itself does not state it. */
  readonly implied?: true
  /** A stream of chat or genai has it at its end. A stream that is made from it has ended that part already, and can only report it (decision 64). */
  readonly late?: true
}

export type Kind = 'request' | 'response' | 'stream' | 'error'

/** One wire in one protocol, and the facts in it. */
export interface Fixture {
  readonly area: string
  readonly name: string
  readonly kind: Kind
  readonly from: ProtocolName
  /** A body; for streams `text`, the events as sent; for errors `status` and `body`. */
  readonly wire: JsonObject
  readonly facts: readonly Fact[]
  /** A response that its client sends back. The facts are about the request that its upstream then receives. */
  readonly echoed?: true
  /** The issuer of the target's model, if it is not the vendor of the protocol. */
  readonly issuer?: string
}

export function fact(name: string, pattern: RegExp, sayings: Fact['in'], returned?: Fact['returned']): Fact {
  return { name, pattern, in: sayings, ...(returned === undefined ? {} : { returned }) }
}

/** A fact that a chat stream has at its end. */
export function lateFact(...given: Parameters<typeof fact>): Fact {
  return { ...fact(...given), late: true }
}

/** One meaning, in each protocol that can express it. */
export interface Idea {
  readonly name: string
  readonly in: { readonly [Name in ProtocolName]?: JsonObject }
  readonly facts: readonly Fact[]
  readonly issuer?: string
  /** Cannot be streamed, or has no stream of its own. */
  readonly whole?: true
}

/** The fixtures of some ideas: one for each protocol that can express them. */
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
