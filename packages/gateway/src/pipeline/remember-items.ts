import { createSseReader, isObject, type AnswerItem, type ReferenceCodec } from '@dragoman/core'
import type { Bytes } from '@dragoman/core/provider'
import type { ErrorInside, Outgoing } from '../bodies/answer-work.ts'
import type { BodyFacts } from '../bodies/request-work.ts'
import { decodeText } from '../ports/collect.ts'
import type { Exchange } from '../call/exchange.ts'
import type { Handler, StreamHandler } from '../modes/handler.ts'
import type { Settings } from '../call/settings.ts'

/** A handler whose answers are remembered, if the caller allows it. */
export function rememberItems(
  { itemMemory }: Pick<Settings, 'itemMemory'>,
  { protocol, caller }: Pick<Exchange, 'protocol' | 'caller'>,
  { mayRemember }: BodyFacts,
  handler: Handler,
): Handler {
  const { references } = protocol
  if (itemMemory === undefined || references === undefined || mayRemember !== true || caller === undefined)
    return handler
  const keep = (items: readonly AnswerItem[]): void => itemMemory.put(caller.id, items)
  return {
    ...handler,
    whole(bytes, signal) {
      const remember = (outgoing: Outgoing | ErrorInside): Outgoing | ErrorInside => {
        if (!('error' in outgoing)) keep(itemsOf(references, outgoing.body))
        return outgoing
      }
      const outgoing = handler.whole(bytes, signal)
      return outgoing instanceof Promise ? outgoing.then(remember) : remember(outgoing)
    },
    stream: () => rememberStream(handler.stream(), references, keep),
  }
}

/** Larger answers are not remembered: another thread has processed them, and parsing them here would hold up all others. */
const LONGEST = 4 * 1024 * 1024

function itemsOf(references: ReferenceCodec, body: Bytes): readonly AnswerItem[] {
  if (body.length > LONGEST) return []
  const answer: unknown = JSON.parse(typeof body === 'string' ? body : decodeText(body))
  return isObject(answer) ? references.items(answer) : []
}

function rememberStream(
  stream: StreamHandler,
  references: ReferenceCodec,
  keep: (items: readonly AnswerItem[]) => void,
): StreamHandler {
  const onData = (data: string): void => {
    const item = references.streamed(data)
    if (item !== undefined) keep([item])
  }
  const relayed = createSseReader(onData)
  const read = (out: Bytes | undefined): Bytes | undefined => {
    // A translation writes text, in whole events. Relayed bytes are cut anywhere.
    if (typeof out !== 'string') relayed.push(out ?? NOTHING)
    else if (out.includes(references.marker)) createSseReader(onData).push(UTF8.encode(out))
    return out
  }
  return { ...stream, push: (chunk) => read(stream.push(chunk)), end: () => read(stream.end()) }
}

const NOTHING = new Uint8Array()
const UTF8 = new TextEncoder()
