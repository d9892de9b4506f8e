import { readArguments } from '../../ir/arguments.ts'
import { DragomanError } from '../../ir/error.ts'
import { keep, known, unknownOf } from '../../ir/extras.ts'
import type { Part } from '../../ir/part.ts'
import { unwrap, type Seal } from '../../ir/seal.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import type { Usage } from '../../ir/usage.ts'
import { createCounts } from '../../lib/gathered.ts'
import { createGrown, type Grown } from '../../lib/grown.ts'
import { createRepeat } from '../../lib/repeat.ts'
import { defined } from '../../lib/defined.ts'
import { isEmpty, isObject, objectOf, parseJson, wordOf, type Json } from '../../lib/json.ts'
import { asUpstreamError } from '../lenient.ts'
import type { DecodeContext, StreamDecoder } from '../protocol.ts'
import { decodeCitation } from './citations.ts'
import { decodeBlock } from './content.ts'
import { decodeErrorBody } from './error.ts'
import { decodeFinish, RESPONSE } from './response.ts'
import { NAME, type Block, type MessagesResponse, type WireCitation, type WireUsage } from './schema.ts'
import { decodeUsage } from './usage.ts'

/** One event of the wire, read leniently. */
export interface WireEvent {
  readonly type?: string
  readonly message?: MessagesResponse
  readonly content_block?: Block
  readonly delta?: WireDelta
  readonly usage?: WireUsage
  readonly error?: unknown
}

interface WireDelta {
  readonly type?: string
  readonly text?: string
  readonly partial_json?: string
  readonly thinking?: string
  readonly signature?: string
  readonly citation?: WireCitation
  readonly stop_reason?: string | null
  readonly stop_sequence?: string | null
  readonly usage?: WireUsage
}

/** Wire events to IR events. Blocks are one after another on this wire too; only a carrier after a text needs a look ahead. */
export function decodeStream(emit: Emit<StreamEvent>, context: DecodeContext): StreamDecoder {
  const counts = createCounts()
  let stop: WireDelta = {}
  let forNext: Seal | undefined
  let carrying = false
  let open: Part | undefined
  let input: Grown | undefined // of the open call
  let ending = false // a text block has ended, but a carrier of its seal may follow
  let strange: Json[] = [] // citations of the open block that nobody here knows
  const repeat = createRepeat<WireEvent>()
  let started = false
  let done = false

  const counted = (): { usage?: Usage } => {
    const usage: WireUsage | undefined = counts.object()
    return usage === undefined ? {} : { usage: decodeUsage(usage) }
  }
  /** Ends the block before: at once for one that was left open, late for a text that waited for its carrier. */
  const close = () => {
    const { value, kept } = readArguments(input?.text() ?? '')
    if (kept) emit({ type: 'block-patch', arguments: value })
    input = undefined
    if (strange.length > 0) emit({ type: 'block-patch', extras: { [NAME]: { citations: strange } } })
    strange = []
    if (ending || open !== undefined) emit({ type: 'block-end' })
    ending = false
    open = undefined
  }
  const grow = (text: unknown) => {
    if (typeof text !== 'string' || text === '') return
    if (open?.type === 'tool-call') (input ??= createGrown()).add(text)
    emit({ type: 'block-delta', text })
  }
  const start = (message: MessagesResponse) => {
    const { id, model, usage } = message
    started = true
    if (isObject(usage)) counts.add(usage)
    const response = keep(defined({ id: wordOf(id), model: wordOf(model) }), NAME, unknownOf(message, RESPONSE))
    emit({ type: 'start', response, ...counted() })
  }
  const fail = (error: DragomanError) => {
    close()
    done = true
    emit({ type: 'error', error })
  }
  const startBlock = (block: Block) => {
    const carrier = block.type === 'redacted_thinking' ? unwrap(block.data, context.issuer) : undefined
    if (carrier !== undefined && carrier.target !== 'self') {
      carrying = true
      if (carrier.target === 'next') forNext = carrier.seal
      else if (ending && carrier.seal !== undefined) emit({ type: 'block-patch', seal: carrier.seal })
      return
    }
    close()
    if (!started) start({})
    const { part, text } = shellOf(decodeBlock(block, context))
    open = forNext === undefined ? part : { ...part, seal: forNext }
    forNext = undefined
    emit({ type: 'block-start', part: open })
    grow(text)
  }
  const patch = (change: WireDelta) => {
    if (change.type === 'signature_delta') {
      const { seal } = unwrap(change.signature ?? '', context.issuer)
      if (seal !== undefined) emit({ type: 'block-patch', seal })
    } else if (change.type === 'citations_delta') {
      const citation = change.citation === undefined ? undefined : decodeCitation(change.citation, context)
      if (citation !== undefined) return emit({ type: 'block-patch', citation })
      strange.push((change.citation ?? null) as Json) // of a kind that is not known here, or none at all
    }
  }
  const stopBlock = () => {
    if (carrying) carrying = false
    else if (open?.type === 'text') {
      ending = true
      open = undefined
    } else close()
  }
  const finish = (event: WireEvent) => {
    const change = objectOf(event.delta)
    stop = change
    const now = event.usage ?? change.usage
    if (isObject(now)) counts.add(now)
    const { extras } = keep({}, NAME, unknownOf(event, MESSAGE_DELTA))
    if (extras !== undefined) emit({ type: 'extras', of: 'response', extras })
  }

  const read = (data: string) => {
    const again = repeat.text(data)
    if (again !== undefined) {
      grow(again)
      return
    }
    repeat.forget()
    const event = parseJson(data) as WireEvent | null | undefined // read leniently
    switch (event?.type) {
      case 'content_block_delta':
        if (event.delta !== undefined && open !== undefined && !carrying) {
          const text = grownBy(event)
          if (text === undefined) patch(event.delta)
          else grow(text)
          repeat.learn(data, text, grownBy)
        }
        return
      case 'message_start':
        if (!started) start(objectOf(event.message))
        return
      case 'content_block_start':
        if (isObject(event.content_block)) startBlock(event.content_block)
        return
      case 'content_block_stop':
        stopBlock()
        return
      case 'message_delta':
        close()
        if (!started) start({})
        finish(event)
        return
      case 'message_stop': {
        close()
        if (!started) start({})
        done = true
        const candidate = { finish: decodeFinish(stop.stop_reason, stop.stop_sequence) }
        emit({ type: 'end', candidate, ...counted() })
        return
      }
      case 'error':
        fail(decodeErrorBody(event))
        return
      case undefined:
        fail(new DragomanError('upstream', 'The upstream sent a stream event that is not a JSON object with a type.'))
        return
      default: // ping, and events of a later day
    }
  }

  return {
    push(data) {
      if (done) return
      try {
        read(data)
      } catch (error) {
        fail(asUpstreamError(error))
      }
    },
    end() {
      if (!done) fail(new DragomanError('interrupted', 'The upstream ended its stream before the answer was complete.'))
    },
    usage: () => counted().usage,
  }
}

/** The text that an event adds to its block. */
function grownBy({ delta }: WireEvent): string | undefined {
  const member = GROWN_OF[delta?.type ?? '']
  return member === undefined ? undefined : delta?.[member]
}

const GROWN_OF: { readonly [type: string]: 'text' | 'partial_json' | 'thinking' } = {
  text_delta: 'text',
  input_json_delta: 'partial_json',
  thinking_delta: 'thinking',
}
const MESSAGE_DELTA = known('type usage', { delta: known('stop_reason stop_sequence usage') })

/** A streamed block starts empty; what an upstream put into the shell all the same is its first delta. */
function shellOf(part: Part): { readonly part: Part; readonly text: string } {
  if (part.type === 'tool-call' && typeof part.arguments !== 'string') {
    return { part: { ...part, arguments: '' }, text: isEmpty(part.arguments) ? '' : JSON.stringify(part.arguments) }
  }
  if (part.type === 'text' || (part.type === 'reasoning' && !part.hidden))
    return { part: { ...part, text: '' }, text: part.text }
  return { part, text: '' }
}
