import type { Losses } from '../ir/loss.ts'
import type { Message } from '../ir/message.ts'
import type { CacheMark, Citation, CitationSource, CitationSpan, Clip, Media, Part, Source } from '../ir/part.ts'
import type { Finish } from '../ir/finish.ts'
import type { Delivery, ModelRequest } from '../ir/request.ts'
import type { Blocked, Candidate, Logprob, Logprobs, ModelResponse } from '../ir/response.ts'
import type { OutputOptions, ReasoningOptions, Settings } from '../ir/settings.ts'
import type { Schema, Tool, ToolChoice } from '../ir/tool.ts'
import type { Usage } from '../ir/usage.ts'
import type { Extras } from '../ir/extras.ts'
import type { Encoding } from './context.ts'

/** The encoder writes the member. Only for members that differ between a table and another one that is made from it. */
export const WRITTEN = true
/** The target has no equivalent. The reason is "<label> has no <member>". */
export const UNSUPPORTED = false
/** For the mark of a usage: its numbers are written, and those of the upstream are not. */
export const CLAMPED = 'the upstream has reported a count out of range'
/** Instead of a table: the node is dropped or replaced as a whole, and reported as a whole. */
export const WHOLE = 'whole'

/**
 * What an encoder does with a member. A text is the reason why it cannot be written; a function returns the reason, or undefined
 * if the member is written. For `extras` the reason is about those of the target's own protocol: `reportForeign` reports the
 * others.
 */
export type Handling = typeof WRITTEN | typeof UNSUPPORTED | string | ((context: Encoding) => string | undefined)

/**
 * An entry for every member of a node that is not `Written`. What the encoder cannot write of the value of a written member, it
 * reports itself. The discriminant `type` has no entry: it chooses the table.
 */
export type MembersOf<Node, Written extends keyof Node = never> = {
  readonly [Member in Exclude<keyof Node, 'type' | Written>]-?: Handling
}

/** The members that are written, always or for some upstreams: a decoder that leaves one out does not compile. */
export type WrittenOf<Node, Written extends keyof Node> = {
  readonly [Member in Written]-?: Node[Member] | null | undefined
}

/** The members of a node that an encoder cannot write, made from its table. */
export interface MemberTable<Node> {
  readonly unsupported: readonly Unsupported<Node>[]
  /** The protocol whose extras are not written, and why. */
  readonly extras?: { readonly protocol: string; readonly reason: string }
}

interface Unsupported<Node> {
  readonly member: keyof Node & string
  readonly reason: string | ((context: Encoding) => string | undefined)
}

type TableOf<Node> = MemberTable<Node> | typeof WHOLE

/** The tables of one protocol: a node or a member that is missing does not compile. */
export interface NodeTables {
  readonly request: TableOf<ModelRequest>
  readonly delivery: TableOf<Delivery>
  readonly settings: TableOf<Settings>
  readonly reasoning: TableOf<ReasoningOptions>
  readonly output: TableOf<OutputOptions>
  readonly schema: TableOf<Schema>
  readonly toolChoice: TableOf<ToolChoice>
  readonly tool: { readonly [Type in Tool['type']]: TableOf<Extract<Tool, { type: Type }>> }
  readonly message: TableOf<Message>
  readonly part: { readonly [Type in Exclude<Part['type'], 'media'>]: TableOf<Extract<Part, { type: Type }>> }
  readonly media: { readonly [Kind in Media['kind']]: TableOf<Media> }
  readonly source: { readonly [Kind in Source['kind']]: TableOf<Extract<Source, { kind: Kind }>> }
  readonly clip: TableOf<Clip>
  readonly cacheMark: TableOf<CacheMark>
  readonly citation: TableOf<Citation>
  readonly cited: { readonly [Kind in CitationSource['kind']]: TableOf<CitedBy<Kind>> }
  readonly citationSpan: TableOf<CitationSpan>
  readonly response: TableOf<ModelResponse>
  readonly blocked: TableOf<Blocked>
  readonly candidate: TableOf<Candidate>
  readonly finish: TableOf<Finish>
  readonly logprobs: TableOf<Logprobs>
  readonly logprob: TableOf<Logprob>
  readonly usage: TableOf<Usage>
}

/** `document` and `search-hit` share a type. */
export type CitedBy<Kind extends CitationSource['kind']> = CitationSource extends infer Source
  ? Source extends { readonly kind: string }
    ? Kind extends Source['kind']
      ? Source
      : never
    : never
  : never

/** Makes the tables of a protocol: `table<Text, 'text' | 'extras'>('a chat text', { seal: UNSUPPORTED, ... })`. */
export function tablesOf(
  protocol: string,
): <Node extends object, Written extends keyof Node = never>(
  label: string,
  others: MembersOf<Node, Written>,
) => MemberTable<Node> {
  return <Node extends object, Written extends keyof Node = never>(label: string, others: MembersOf<Node, Written>) => {
    const unsupported: Unsupported<Node>[] = []
    let extras: MemberTable<Node>['extras']
    for (const [member, handling] of Object.entries<Handling>(others) as [keyof Node & string, Handling][]) {
      if (handling === WRITTEN) continue
      const reason = handling === UNSUPPORTED ? `${label} has no ${member}` : handling
      if (member !== 'extras') unsupported.push({ member, reason })
      else if (typeof reason === 'string') extras = { protocol, reason }
    }
    return extras === undefined ? { unsupported } : { unsupported, extras }
  }
}

/** Reports the members of a node that its table says the target cannot express. The losses are those of the node. */
export function reportUnsupported<Node extends object>(
  node: NoInfer<Partial<Node>>,
  { unsupported, extras }: MemberTable<Node>,
  losses: Losses,
  context: Encoding,
): void {
  for (const { member, reason } of unsupported) {
    if (node[member] === undefined) continue
    const why = typeof reason === 'string' ? reason : reason(context)
    if (why !== undefined) losses.dropped([member], why)
  }
  if (extras === undefined) return
  const { extras: own }: { readonly extras?: Extras } = node
  if (own?.[extras.protocol] !== undefined) losses.dropped(['extras', extras.protocol], extras.reason)
}
