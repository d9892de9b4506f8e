import type { Losses } from '../ir/loss.ts'
import type { Message, Delivery, ModelRequest, OutputOptions } from '../ir/request.ts'
import type { Citation, CitationSource, Media, Part, Source } from '../ir/part.ts'
import type { Finish, Candidate, Logprob, Logprobs, ModelResponse } from '../ir/response.ts'
import type { Tool, ToolChoice } from '../ir/tool.ts'
import type { Usage } from '../ir/usage.ts'
import type { Extras } from '../ir/extras.ts'
import type { Encoding } from './context.ts'

/** For the mark of a usage: its numbers are written, and those of the upstream are not. */
export const CLAMPED = 'the upstream has reported a count out of range'
/** Instead of a table: the node is dropped or replaced as a whole, and reported as a whole. */
export const WHOLE = 'whole'

/**
 * Why an encoder does not write a member. A function returns the reason, or undefined if the member is written. For `extras` the
 * reason is about those of the target's own protocol: `reportForeign` reports the others.
 */
export type Reason = string | ((context: Encoding) => string | undefined)

/** Members that are written for some upstreams only, and those whose loss needs more words than "<label> has no <member>". */
export type ReasonsOf<Node> = { readonly [Member in keyof Node]?: Reason }

/** The members of a node that an encoder writes. All others are lost, and reported. */
export interface MemberTable<Node> {
  readonly protocol: string
  readonly label: string
  /** True: it is written. */
  readonly members: ReadonlyMap<string, Reason | true>
  /** Only for the compiler: a table is for one kind of node. */
  readonly of?: (node: Node) => void
}

/**
 * The tables of one protocol. A node without one is not written, or has few members that all are written: what becomes of a new one
 * is left to the law of honesty. Settings are in rows.
 */
export interface NodeTables {
  readonly request: MemberTable<ModelRequest>
  readonly delivery: MemberTable<Delivery>
  readonly output: MemberTable<OutputOptions>
  readonly toolChoice?: MemberTable<ToolChoice>
  readonly tool: { readonly [Type in Tool['type']]?: MemberTable<Extract<Tool, { type: Type }>> }
  readonly message: MemberTable<Message>
  readonly part: { readonly [Type in Exclude<Part['type'], 'media'>]?: MemberTable<Extract<Part, { type: Type }>> }
  readonly media: { readonly [Kind in Media['kind']]: MemberTable<Media> | typeof WHOLE }
  readonly source: { readonly [Kind in 'url' | 'file']: MemberTable<Extract<Source, { kind: Kind }>> }
  readonly citation: MemberTable<Citation>
  readonly cited: { readonly [Kind in CitationSource['kind']]?: MemberTable<CitedBy<Kind>> }
  readonly response: MemberTable<ModelResponse>
  readonly candidate: MemberTable<Candidate>
  readonly finish: MemberTable<Finish>
  readonly logprobs?: MemberTable<Logprobs>
  readonly logprob?: MemberTable<Logprob>
  readonly usage: MemberTable<Usage>
}

/** `document` and `search-hit` share a type. */
export type CitedBy<Kind extends CitationSource['kind']> = CitationSource extends infer Source
  ? Source extends { readonly kind: string }
    ? Kind extends Source['kind']
      ? Source
      : never
    : never
  : never

/**
 * Makes the tables of a protocol: `table<Text>('a chat text', ['text', 'extras'], { cache: 'chat caches by itself' })`. What the
 * encoder cannot write of the value of a written member, it reports itself.
 */
export function tablesOf(
  protocol: string,
): <Node extends object>(
  label: string,
  written: readonly (keyof Node & string)[],
  reasons?: ReasonsOf<Node>,
) => MemberTable<Node> {
  return (label, written, reasons) => {
    const members = new Map<string, Reason | true>([['type', true]]) // it chooses the table
    for (const member of written) members.set(member, true)
    for (const [member, reason] of Object.entries<Reason | undefined>(reasons ?? {}))
      if (reason !== undefined) members.set(member, reason)
    return { protocol, label, members }
  }
}

/** Reports the members of a node that its table says the target cannot express. The losses are those of the node. */
export function reportUnsupported<Node extends object>(
  node: NoInfer<Partial<Node>>,
  { protocol, label, members }: MemberTable<Node>,
  losses: Losses,
  context: Encoding,
): void {
  for (const member in node) {
    const reason = members.get(member)
    if (reason === true || node[member] === undefined) continue
    const why = typeof reason === 'function' ? reason(context) : (reason ?? `${label} has no ${member}`)
    if (why === undefined) continue
    if (member !== 'extras') losses.dropped([member], why)
    else if ((node[member] as Extras)[protocol] !== undefined) losses.dropped([member, protocol], why)
  }
}
