import { createMemberBuffer, type MemberBuffer } from '../lib/members.ts'
import { DragomanError } from './error.ts'
import type { Extras } from './extras.ts'
import type { Citation, Part } from './part.ts'
import type { Candidate, Logprob, ModelResponse } from './response.ts'
import type { StreamEvent } from './stream.ts'
import { overwrite, type Usage } from './usage.ts'

/** Collects stream events into the response that the same exchange would give without streaming. */
export interface Fold {
  push(event: StreamEvent): void
  /** Throws the error of the stream, or an interruption if it has not ended. */
  response(): ModelResponse
}

/** Starts a fold: push the events of one stream, then take the response. */
export function createFold(): Fold {
  let head: Pick<ModelResponse, 'id' | 'model' | 'created' | 'extras'> = {}
  let usage: Usage | undefined
  const responseExtras = gatherExtras()
  const candidateExtras = gatherExtras()
  let ending: Extract<StreamEvent, { type: 'end' | 'error' }> | undefined
  let open: { readonly part: OpenPart; text: string } | undefined
  const parts: Part[] = []
  const tokens: Logprob[] = []
  let average: number | undefined
  return {
    push(event) {
      switch (event.type) {
        case 'block-delta':
          if (open !== undefined) open.text += event.text
          return
        case 'start':
          head = event.response
          responseExtras.add(head.extras)
          usage = event.usage
          return
        case 'block-start':
          open = { part: openPart(event.part), text: streamedText(event.part) }
          return
        case 'block-patch':
          if (event.block === undefined) open?.part.patch(event)
          else patchPart(parts, event.block, event)
          return
        case 'block-end':
          if (open !== undefined) parts.push(grow(open.part.part(), open.text))
          open = undefined
          return
        case 'logprobs':
          for (const token of event.tokens) tokens.push(token)
          average = event.average ?? average
          return
        case 'extras':
          if (event.of === 'response') responseExtras.add(event.extras)
          else candidateExtras.add(event.extras)
          return
        case 'end':
        case 'error':
          ending = event
          if (event.type === 'end') usage = overwrite(usage, event.usage)
          return
        default:
          event satisfies never
      }
    },
    response() {
      if (ending === undefined) throw new DragomanError('interrupted', 'The stream ended before the answer did.')
      if (ending.type === 'error') throw ending.error
      candidateExtras.add(ending.candidate.extras)
      const extras = candidateExtras.extras()
      const headExtras = responseExtras.extras()
      const candidate: Candidate = {
        parts,
        ...ending.candidate,
        ...(average === undefined
          ? tokens.length === 0
            ? {}
            : { logprobs: { tokens } }
          : { logprobs: { tokens, average } }),
        ...(extras === undefined ? {} : { extras }),
      }
      return {
        ...head,
        ...(headExtras === undefined ? {} : { extras: headExtras }),
        candidates: ending.blocked === undefined ? [candidate] : [],
        ...(ending.blocked === undefined ? {} : { blocked: ending.blocked }),
        ...(usage === undefined ? {} : { usage }),
        ...(ending.serviceTier === undefined ? {} : { serviceTier: ending.serviceTier }),
      }
    },
  }
}

/** The string of a part that deltas append to; empty for parts that come whole. */
export function streamedText(part: Part): string {
  if (part.type === 'tool-call') return typeof part.arguments === 'string' ? part.arguments : ''
  return 'text' in part ? part.text : ''
}

/** The part with its streamed string set. */
export function grow(part: Part, text: string): Part {
  if (part.type === 'tool-call') return typeof part.arguments === 'string' ? { ...part, arguments: text } : part
  return 'text' in part ? { ...part, text } : part
}

function patchPart(parts: Part[], index: number, event: Extract<StreamEvent, { type: 'block-patch' }>): void {
  const part = parts[index]
  if (part === undefined) return
  const open = openPart(part)
  open.patch(event)
  parts[index] = open.part()
}

/** A part of a stream that is not complete. Late members are collected and added once. */
export interface OpenPart {
  patch(event: Extract<StreamEvent, { type: 'block-patch' }>): void
  /** The part with everything that has arrived so far. */
  part(): Part
}

/** Opens a part from its start event. */
export function openPart(shell: Part): OpenPart {
  let now = shell
  let cited: Citation[] | undefined
  let late: ExtrasBuffer | undefined
  return {
    patch({ seal, summary, hidden, arguments: given, citation, extras }) {
      if (seal !== undefined) now = { ...now, seal }
      if (summary && now.type === 'reasoning') now = { ...now, summary: true }
      if (hidden && now.type === 'reasoning') now = { ...now, hidden: true }
      if (given !== undefined && now.type === 'tool-call') now = { ...now, arguments: given }
      if (citation !== undefined) (cited ??= []).push(citation)
      if (extras === undefined) return
      if (late === undefined) (late = gatherExtras()).add(shell.extras)
      late.add(extras)
    },
    part() {
      const extras = late?.extras()
      const whole = extras === undefined ? now : { ...now, extras }
      if (cited === undefined || whole.type !== 'text') return whole
      return { ...whole, citations: [...(whole.citations ?? []), ...cited] }
    },
  }
}

/** Extras that come in several chunks: per protocol, the last value of a key wins. */
interface ExtrasBuffer {
  add(extras: Extras | undefined): void
  extras(): Extras | undefined
}

function gatherExtras(): ExtrasBuffer {
  const owners = new Map<string, MemberBuffer>()
  return {
    add(extras) {
      for (const owner of Object.keys(extras ?? {})) {
        let memberBuffer = owners.get(owner)
        if (memberBuffer === undefined) owners.set(owner, (memberBuffer = createMemberBuffer()))
        memberBuffer.add(extras?.[owner] ?? {})
      }
    },
    extras() {
      if (owners.size === 0) return undefined
      return Object.fromEntries([...owners].map(([owner, memberBuffer]) => [owner, memberBuffer.object() ?? {}]))
    },
  }
}
