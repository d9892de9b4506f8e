import type { JsonObject } from '../lib/json.ts'
import { DragomanError } from './error.ts'
import type { Extras } from './extras.ts'
import type { Part } from './part.ts'
import type { Candidate, Logprob, Response } from './response.ts'
import type { StreamEvent } from './stream.ts'
import { overwrite, type Usage } from './usage.ts'

/** Gathers stream events into the response that the same exchange would have given unstreamed. */
export interface Fold {
  push(event: StreamEvent): void
  /** Throws what the stream ended with if that was an error, and an interruption if it has not ended. */
  response(): Response
}

/** Starts a fold: push the events of one stream, then take the response. */
export function createFold(): Fold {
  let head: Pick<Response, 'id' | 'model' | 'created' | 'extras'> = {}
  let usage: Usage | undefined
  let candidateExtras: Extras | undefined
  let ending: Extract<StreamEvent, { type: 'end' | 'error' }> | undefined
  let open: { part: Part; text: string } | undefined
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
          usage = event.usage
          return
        case 'block-start':
          open = { part: event.part, text: grownText(event.part) }
          return
        case 'block-patch':
          if (open !== undefined) open.part = patch(open.part, event)
          return
        case 'block-end':
          if (open !== undefined) parts.push(grow(open.part, open.text))
          open = undefined
          return
        case 'logprobs':
          tokens.push(...event.tokens)
          average = event.average ?? average
          return
        case 'extras':
          if (event.of === 'response') head = { ...head, extras: later(head.extras, event.extras) ?? {} }
          else candidateExtras = later(candidateExtras, event.extras)
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
      const extras =
        candidateExtras === undefined ? ending.candidate.extras : later(candidateExtras, ending.candidate.extras)
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
        candidates: ending.blocked === undefined ? [candidate] : [],
        ...(ending.blocked === undefined ? {} : { blocked: ending.blocked }),
        ...(usage === undefined ? {} : { usage }),
      }
    },
  }
}

/** The string of a part that deltas add to; empty for parts that come whole. */
export function grownText(part: Part): string {
  if (part.type === 'tool-call') return typeof part.arguments === 'string' ? part.arguments : ''
  return 'text' in part ? part.text : ''
}

/** The part with its growing string set. */
export function grow(part: Part, text: string): Part {
  if (part.type === 'tool-call') return typeof part.arguments === 'string' ? { ...part, arguments: text } : part
  return 'text' in part ? { ...part, text } : part
}

/** The part with what arrived late for it. */
export function patch(part: Part, event: Extract<StreamEvent, { type: 'block-patch' }>): Part {
  const extras = later(part.extras, event.extras)
  const patched: Part = {
    ...part,
    ...(event.seal === undefined ? {} : { seal: event.seal }),
    ...(extras === undefined ? {} : { extras }),
  }
  if (event.summary && patched.type === 'reasoning') return { ...patched, summary: true }
  if (event.arguments !== undefined && patched.type === 'tool-call') return { ...patched, arguments: event.arguments }
  if (event.citation === undefined || patched.type !== 'text') return patched
  return { ...patched, citations: [...(patched.citations ?? []), event.citation] }
}

/** Leftovers that came in several chunks: per protocol, the last value of a key wins. */
function later(before: Extras | undefined, now: Extras | undefined): Extras | undefined {
  if (before === undefined || now === undefined) return now ?? before
  let joined: { [protocol: string]: JsonObject } = { ...before }
  for (const protocol of Object.keys(now)) {
    joined = { ...joined, [protocol]: { ...joined[protocol], ...now[protocol] } }
  }
  return joined
}
