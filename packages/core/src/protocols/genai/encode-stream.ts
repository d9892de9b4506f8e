import type { DragomanError } from '../../ir/error.ts'
import { restore } from '../../ir/extras.ts'
import { reportForeignExtras, reportForeignToken } from '../../ir/foreign-extras.ts'
import type { Emit, EventOf, Machine, StreamEvent } from '../../ir/stream.ts'
import type { Usage } from '../../ir/usage.ts'
import type { Draft } from '../../lib/members.ts'
import { merge, type JsonObject } from '../../lib/json.ts'
import type { EncodeContext } from '../context.ts'
import { reportUnsupported } from '../member-tables.ts'
import { createStreamEncoder } from '../stream-encoder.ts'
import { createEncodedBlocks } from './encode-blocks.ts'
import { encodeErrorBody } from './error.ts'
import { encodeLogprobs } from './logprobs.ts'
import { TABLES } from './members.ts'
import { encodeEnding, encodeFeedback, encodeHead } from './response.ts'
import type { WireCandidate } from './answer-schema.ts'
import { NAME } from './schema.ts'
import { encodeUsage } from './usage.ts'

/** The official client keeps no history of a stream if one chunk has no parts. */
const SILENCE = { role: 'model', parts: [{ text: '' }] }

/** IR events to wire text. */
export function encodeStream(write: Emit<string>, context: EncodeContext): Machine<StreamEvent> {
  const { losses } = context
  const candidate = losses.at('candidates', 0)
  const framing = createFraming(context.asked?.framing)
  let head: object = {}
  let waiting: JsonObject | undefined = {} // extras for the next chunk
  let scored = 0

  const put = (chunk: object) => {
    const whole = merge(chunk, waiting)
    waiting = undefined
    write(framing.chunk(JSON.stringify(whole)))
  }
  const shape = (candidate: Partial<WireCandidate>): object => ({
    candidates: [{ content: SILENCE, ...candidate, index: 0 }],
    ...head,
  })
  const blocks = createEncodedBlocks(
    {
      send: (candidate) => put(shape(candidate)),
      write: (json) => write(framing.chunk(json)),
      shape,
    },
    context,
  )
  const start = (event: EventOf<'start'>) => {
    head = encodeHead(event.response, losses, context)
    waiting = event.response.extras?.[NAME] ?? {}
  }
  const end = (event: EventOf<'end'>, usage: Usage | undefined) => {
    const groundings = event.blocked === undefined ? [event.candidate.grounding] : []
    const counted = usage && { usageMetadata: encodeUsage(usage, losses.at('usage'), context, groundings) }
    reportForeignExtras(usage?.extras, NAME, losses, ['usage'])
    const { serviceTier } = event
    if (serviceTier !== undefined) reportUnsupported({ serviceTier }, TABLES.response, losses, context)
    if (event.blocked !== undefined) blocks.flush()
    put({
      ...(event.blocked === undefined
        ? { candidates: [ending(event)] }
        : { promptFeedback: encodeFeedback(event.blocked) }),
      ...counted,
      ...head,
    })
    write(framing.end())
  }
  /** After a call, a client that looks only at the last chunk must find the call there. */
  const ending = (event: EventOf<'end'>): WireCandidate => {
    const last = blocks.lastParts()
    const content = last.length === 0 ? SILENCE : { role: 'model', parts: [...last] }
    const wire = encodeEnding(event.candidate, content, blocks.called, candidate.at('finish'), context)
    wire.index = 0
    return restore(NAME, event.candidate, wire)
  }
  const score = (event: EventOf<'logprobs'>) => {
    const { tokens, average } = event
    for (const [index, token] of tokens.entries())
      reportForeignToken(token, NAME, losses, ['candidates', 0, 'logprobs', 'tokens', scored + index])
    const wire: Draft<WireCandidate> = {}
    if (tokens.length > 0) wire.logprobsResult = encodeLogprobs(tokens, scored, candidate.at('logprobs'), context)
    if (average !== undefined) wire.avgLogprobs = average
    put(shape(wire))
    scored += tokens.length
  }
  const extras = (event: EventOf<'extras'>) => {
    const own = event.extras[NAME]
    if (own === undefined) return
    put(event.of === 'candidate' ? shape(merge({ content: SILENCE }, own)) : { ...own, ...shape({}) })
  }
  const fail = (error: DragomanError) => {
    blocks.flush()
    write(framing.chunk(JSON.stringify(encodeErrorBody(error))))
    write(framing.end())
  }

  return createStreamEncoder(NAME, losses, { start, block: blocks.start, logprobs: score, extras, end, error: fail })
}

/** How chunks are written: as events, or as the elements of one JSON array. */
export interface Framing {
  /** One chunk, given as JSON text. */
  chunk(json: string): string
  /** After the last chunk. */
  end(): string
}

export const ARRAY = 'array'

export function createFraming(framing: string | undefined): Framing {
  if (framing !== ARRAY) return { chunk: (json) => `data: ${json}\n\n`, end: () => '' }
  let begun = false
  return {
    chunk(json) {
      const before = begun ? ',\n' : '['
      begun = true
      return before + json
    },
    end: () => (begun ? ']' : '[]'),
  }
}
