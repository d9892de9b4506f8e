import { createFold, type Citation, type Part, type ModelResponse, type StreamEvent } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { streamedResponse } from './response.ts'
import type { World } from './world.ts'

/** The events of a response, cut at random. It also varies what the start of a block contains and what arrives later. */
export function stream(world: World): Arbitrary<readonly StreamEvent[]> {
  return fc.tuple(streamedResponse(world), cuts()).map(([response, sizes]) => eventsOf(response, sizes))
}

/** Sizes of deltas, used one after another. 0 means that late values come early. */
export function cuts(): Arbitrary<readonly number[]> {
  return fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 8 })
}

/** The response that the events describe. */
export function foldOf(events: readonly StreamEvent[]): ModelResponse {
  const fold = createFold()
  for (const event of events) fold.push(event)
  return fold.response()
}

/** Values that come after the start of a block: all that may, or only those that upstreams send late, signatures and citations. */
export type Late = 'anything' | 'usual'

/** A response of at most one candidate as a stream. */
export function eventsOf(response: ModelResponse, sizes: readonly number[], late: Late = 'anything'): StreamEvent[] {
  const { candidates, usage, blocked, serviceTier, ...head } = response
  const size = createTurns(sizes)
  const { parts, logprobs, ...ending } = candidates[0] ?? {
    parts: [],
    logprobs: undefined,
    finish: { reason: 'other' },
  }
  const early = size() === 0
  return [
    { type: 'start', response: head, ...(early && usage !== undefined ? { usage } : {}) },
    ...parts.flatMap((part) => blockOf(part, size, late)),
    ...(logprobs?.tokens ?? []).map((token): StreamEvent => ({ type: 'logprobs', tokens: [token] })),
    ...(logprobs?.average === undefined ? [] : [{ type: 'logprobs', tokens: [], average: logprobs.average } as const]),
    {
      type: 'end',
      candidate: ending,
      ...(usage === undefined ? {} : { usage }),
      ...(blocked === undefined ? {} : { blocked }),
      ...(serviceTier === undefined ? {} : { serviceTier }),
    },
  ]
}

function blockOf(part: Part, size: () => number, wanted: Late): StreamEvent[] {
  const patient = size() > 3 && (wanted === 'anything' || part.type === 'reasoning' || part.type === 'text')
  const { shell, late } = shellOf(part, patient, wanted)
  return [
    { type: 'block-start', part: shell },
    ...cut(growingText(part) ?? '', size).map((text): StreamEvent => ({ type: 'block-delta', text })),
    ...late,
    { type: 'block-end' },
  ]
}

/** A part with its streamed string empty, and the patches that complete it. */
function shellOf(part: Part, patient: boolean, wanted: Late): { readonly shell: Part; readonly late: StreamEvent[] } {
  const empty = emptied(part)
  if (!patient || part.type === 'opaque') return { shell: empty, late: [] }
  const { seal, extras, ...rest } = empty
  const citations: readonly Citation[] = rest.type === 'text' ? (rest.citations ?? []) : []
  const { citations: _, ...uncited } = { citations: undefined, ...rest }
  const early = wanted === 'usual' && extras !== undefined
  return {
    shell: early ? { ...uncited, extras } : uncited,
    late: [
      ...citations.map((citation): StreamEvent => ({ type: 'block-patch', citation })),
      ...(seal === undefined ? [] : [{ type: 'block-patch', seal } as const]),
      ...(extras === undefined || early ? [] : [{ type: 'block-patch', extras } as const]),
    ],
  }
}

/** The string of a part that is streamed; undefined for parts that come whole. */
export function growingText(part: Part): string | undefined {
  if (part.type === 'tool-call') return typeof part.arguments === 'string' ? part.arguments : undefined
  return 'text' in part ? part.text : undefined
}

function emptied(part: Part): Part {
  if (part.type === 'tool-call') return typeof part.arguments === 'string' ? { ...part, arguments: '' } : part
  return 'text' in part ? { ...part, text: '' } : part
}

function cut(text: string, size: () => number): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length;) {
    const end = start + Math.max(1, size())
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

function createTurns(sizes: readonly number[]): () => number {
  let turn = 0
  return () => sizes[turn++ % sizes.length] ?? 1
}
