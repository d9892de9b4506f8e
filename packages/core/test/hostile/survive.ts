import {
  DragomanError,
  parseJson,
  translate,
  translateError,
  translateResponse,
  translateStream,
  type AnswerStream,
  type JsonObject,
  type Protocol,
} from '@dragoman/core'

const bytes = new TextEncoder()

/** A request is refused with a DragomanError, or translated. Nothing else happens. */
export function mustSurviveRequest(from: Protocol, to: Protocol, text: string): void {
  orRefuse(() => {
    const body = from.request.check(parseJson(text))
    const { body: wire, losses } = translate(from, to, body, { match: { model: 'm', stream: true } })
    mustBePlain(wire)
    mustBePlain(losses)
  })
}

/** A response is read as far as possible, or refused with a DragomanError. */
export function mustSurviveResponse(from: Protocol, to: Protocol, text: string): void {
  orRefuse(() => {
    const { body, losses } = translateResponse(to, from, parseJson(text) as JsonObject) // an object with one value replaced
    mustBePlain(body)
    mustBePlain(losses)
  })
}

/** An error is always reported, as well as it can be understood. */
export function mustSurviveError(from: Protocol, to: Protocol, text: string): void {
  const { status, body } = translateError(to, from, 429, text)
  if (status < 400) throw new Error(`an error has the status ${status}`)
  mustBePlain(body)
}

/** A stream always ends with an event that its client can read, whatever it contains. */
export function mustSurviveStream(from: Protocol, to: Protocol, ...chunks: readonly Uint8Array[]): AnswerStream {
  let written = ''
  const stream = translateStream(to, from, (text) => (written += text))
  for (const chunk of chunks) stream.push(chunk)
  stream.end()
  // Without `expect`, which costs more than these checks: there are many thousand streams.
  if (!stream.done) throw new Error('the stream is not done')
  if (written === '') throw new Error('nothing was written')
  const { failed } = stream
  if (failed !== undefined && !(failed instanceof DragomanError))
    throw new Error(`not a DragomanError: ${String(failed)}`)
  mustBePlain(stream.losses)
  return stream
}

/** Events as they are sent, with the end marker of protocols that have one. */
export function streamOf(protocol: Protocol, events: readonly string[]): Uint8Array {
  const frames = [...events, ...(protocol.name === 'chat' ? ['[DONE]'] : [])].map((data) => `data: ${data}\n\n`)
  return bytes.encode(frames.join(''))
}

function orRefuse(run: () => void): void {
  try {
    run()
  } catch (thrown) {
    if (!(thrown instanceof DragomanError)) throw new Error(`not a DragomanError: ${String(thrown)}`, { cause: thrown })
    if (thrown.message === '') throw new Error('refused without a message', { cause: thrown })
    if (thrown.kind === 'internal') throw new Error('refused as our own fault', { cause: thrown })
  }
}

/** Checks that all objects and lists have their original prototypes. Without recursion, because values can be deep. */
function mustBePlain(value: unknown): void {
  const waiting = [value]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue
    const prototype: unknown = Object.getPrototypeOf(node)
    if (prototype !== Object.prototype && prototype !== Array.prototype) throw new Error('an object of another kind')
    for (const key of Object.keys(node)) waiting.push((node as { readonly [key: string]: unknown })[key]) // its own
  }
  if ('polluted' in {}) throw new Error('Object.prototype is polluted')
}
