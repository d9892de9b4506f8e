import { describe, expect, it } from 'vitest'
import { STEPS_PER_TURN } from '../src/patterns/search.ts'
import { createRedact } from '../src/redaction/redact.ts'

const KEY = 'sk-abcdefghijklmnopqrstuvwx'
const REDACTED = '[redacted]'
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

async function redact(text: string | Uint8Array, expressions: readonly string[] = []): Promise<string> {
  const body = typeof text === 'string' ? bytesOf(text) : text
  return createRedact({ days: 1, redact: expressions }, async () => {})(body)
}

const escaped = (text: string): string =>
  Array.from(text, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
const sse = (...events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
/** The JSON of the events of a stored stream. */
const eventsOf = (stored: string): readonly unknown[] =>
  stored.split('\n').flatMap((line) => (line.startsWith('data: {') ? (JSON.parse(line.slice(6)) as unknown) : []))

describe('redaction of a body', () => {
  it.each([
    'dgm_0123456789abcdef',
    'sk-ant-api03-0123456789abcdef',
    'AIzaSyA0123456789abcdefghijklmnopqrstuv',
    'gsk_0123456789abcdefghij',
    'xai-0123456789abcdefghij',
  ])('finds the keys of every vendor: %s', async (key) => {
    expect(JSON.parse(await redact(JSON.stringify({ text: `my key is ${key}.` })))).toEqual({
      text: `my key is ${REDACTED}.`,
    })
  })

  it('finds secrets that are written with escapes, and leaves JSON that can be read', async () => {
    const card = '4111-1111-1111-1111'
    const body = `{"a":"${escaped(KEY)}","${KEY}":1,"b":"x \\n\\"${card.replaceAll('-', '\\u002d')}\\"","c":"\\ud83d\\ude00"}`
    const stored = await redact(body, ['(?:\\d{4}-){3}\\d{4}'])
    expect(JSON.parse(stored)).toEqual({ a: REDACTED, [REDACTED]: 1, b: `x \n"${REDACTED}"`, c: '😀' })
  })

  it('finds them in JSON inside of strings, at several depths', async () => {
    for (const depth of [1, 2, 3]) {
      let body = `{"key":"${escaped(KEY)}"}`
      for (let count = 0; count < depth; count++) body = JSON.stringify({ arguments: body })
      const stored = await redact(body)
      let read: unknown = stored
      for (let count = 0; count <= depth; count++) read = Object.values(JSON.parse(read as string) as object)[0]
      expect(read, `depth ${depth}`).toBe(REDACTED)
    }
  })

  it('finds media whose slashes are escaped', async () => {
    const data = 'ab/cd+ef'.repeat(100)
    const stored = await redact(JSON.stringify({ url: `data:image/png;base64,${data}==` }).replaceAll('/', '\\/'))
    expect(JSON.parse(stored)).toEqual({ url: '[media: 600 bytes]' })
  })

  it('leaves everything else as it is, byte by byte', async () => {
    const body = '{"a" : "C:\\\\temp \\u00e4\\/ \\q", "b":[1e3,\ttrue], "c":"sk-short" } trailing \\'
    expect(await redact(body)).toBe(body)
  })

  it('finds secrets in text that is not JSON, or only the beginning of it', async () => {
    expect(await redact(`key=${KEY}; \\u00`)).toBe(`key=${REDACTED}; \\u00`)
    expect(await redact(`{"a":{"b":["${KEY}`)).toBe(`{"a":{"b":["${REDACTED}`)
    expect(await redact(`${'[{"a":'.repeat(50_000)}"${escaped(KEY)}"`)).toMatch(/"\[redacted\]"$/)
  })

  it('finds secrets at every place around the ends of steps and of characters of several bytes', async () => {
    for (const before of ['ä', '😀', 'x ']) {
      for (let shift = -40; shift < 4; shift++) {
        const filling = before.repeat(Math.ceil(16_384 / bytesOf(before).length))
        const start = new TextDecoder().decode(bytesOf(filling).subarray(0, 16_384 + shift)).replaceAll('\ufffd', '')
        const stored = await redact(`${start} ${KEY} ${start} ${KEY}`)
        expect(stored, `${before} ${shift}`).toBe(`${start} ${REDACTED} ${start} ${REDACTED}`)
      }
    }
  })

  it('stores no beginning of a secret at the place where a body is cut', async () => {
    const limit = 4 * 1024 * 1024
    const media = `${'A'.repeat(limit - 24)} "${KEY}"`
    const stored = await redact(media)
    expect(stored).toMatch(/^\[media: \d+ bytes\] "\[cut off: \d+ bytes in all\]$/)
    const long = `${'word '.repeat(220_000)}${KEY} ${'word '.repeat(220_000)}`
    expect(await redact(long)).not.toContain('sk-')
  })
})

describe('redaction of a stream', () => {
  const deltas = (text: string, size: number): readonly string[] => text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []
  const STREAMS: { readonly [protocol: string]: (piece: string, block: number) => object } = {
    chat: (content) => ({ id: 'c', model: 'm', choices: [{ index: 0, delta: { content } }] }),
    'calls of chat': (piece, index) => ({
      choices: [{ index: 0, delta: { tool_calls: [{ index, function: { arguments: piece } }] } }],
    }),
    messages: (text, index) => ({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }),
    genai: (text) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }] }),
    responses: (delta, output_index) => ({ type: 'response.output_text.delta', output_index, content_index: 0, delta }),
  }

  it.each(Object.keys(STREAMS))('finds what the events of %s have cut', async (protocol) => {
    for (const size of [1, 3, 7, 20]) {
      const event = STREAMS[protocol] ?? (() => ({}))
      const text = `Use ${KEY} or 555-0100, not 12.`
      const stored = await redact(sse(...deltas(text, size).map((piece) => event(piece, 0))), ['\\d{3}-\\d{4}'])
      const joined = eventsOf(stored).map(
        (each) => JSON.stringify(each).match(/"(?:content|text|arguments|delta)":"((?:[^"\\]|\\.)*)"/)?.[1],
      )
      expect(joined.join(''), `${size}`).toBe(`Use ${REDACTED} or ${REDACTED}, not 12.`)
      expect(stored).not.toContain('ijk')
    }
  })

  it('joins the pieces of each block alone, although they alternate', async () => {
    const event = STREAMS['calls of chat'] ?? (() => ({}))
    const one = deltas(`{"key":"${KEY}"}`, 5)
    const other = deltas('{"text":"nothing to hide here, at all"}', 5)
    const events = one.flatMap((piece, index) => [event(piece, 0), event(other[index] ?? '', 1)])
    const stored = await redact(sse(...events))
    const joined = [0, 1].map((block) =>
      (
        eventsOf(stored) as {
          choices: { delta: { tool_calls: { index: number; function: { arguments: string } }[] } }[]
        }[]
      )
        .flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
        .filter(({ index }) => index === block)
        .map((call) => call.function.arguments)
        .join(''),
    )
    expect(joined[0]).toBe(`{"key":"${REDACTED}"}`)
    expect('{"text":"nothing to hide here, at all"}').toContain(joined[1])
  })

  it('finds escapes that events have cut, inside of arguments', async () => {
    const event = STREAMS['calls of chat'] ?? (() => ({}))
    const stored = await redact(sse(...deltas(`{"key":"${escaped(KEY)}"}`, 5).map((piece) => event(piece, 0))))
    const joined = [...stored.matchAll(/"arguments":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text = '""']) => JSON.parse(text) as string,
    )
    expect(joined.join('')).toBe(`{"key":"${REDACTED}"}`)
  })

  it('finds media that events have cut, and leaves other events as they are', async () => {
    const start = 'event: ping\ndata: {"type" :  "ping"}\r\n\ndata: [DONE]\n\n: comment\n\n'
    const event = STREAMS['messages'] ?? (() => ({}))
    const stored = await redact(start + sse(...deltas('QUJD'.repeat(200), 100).map((piece) => event(piece, 0))))
    expect(stored.startsWith(start)).toBe(true)
    expect(stored).toContain('[media: 600 bytes]')
    expect(stored).not.toContain('QUJD')
  })
})

describe('the steps of redaction', () => {
  const MB = 1024 * 1024
  const fill = (piece: string): string => piece.repeat(Math.ceil((4 * MB) / piece.length))
  const event = 'data: {"choices":[{"index":0,"delta":{"content":"sk-"}}]}\n\n'
  const WORST: { readonly [name: string]: string } = {
    'one word': fill('a'),
    'beginnings of data URLs': fill('data:a/a;a=a;'),
    'beginnings of keys': fill('sk-'),
    'short keys': fill('sk-aaaaaaaaaaaaaaaa '),
    'words of keys': fill('sk-a gsk_a dgm_a xai-a AIza '),
    escapes: fill('\\u0061'),
    backslashes: fill('\\'),
    'escaped backslashes and quotes': fill('\\\\\\"'),
    'many media': fill(`${'A'.repeat(256)} `),
    'media after marks': fill(`data:${'a'.repeat(150)};base64,${'A'.repeat(256)},`),
    'deep JSON': fill('[{"a":'),
    events: fill(event),
    'one event': `data: {"a":"${fill('sk-a ')}"}`,
    'lines without an end': `data:${fill('\n')}`,
    digits: fill('1'),
  }

  it.each(Object.keys(WORST))('are short for %s', async (name) => {
    const turns: number[] = []
    const body = bytesOf(WORST[name] ?? '').subarray(0, 4 * MB)
    const pause = async (done: number): Promise<void> => {
      turns.push(done)
    }
    await createRedact({ days: 1, redact: ['\\d', '(?:a|a)+b'] }, pause)(body)
    expect(turns.length).toBeGreaterThan(body.length / STEPS_PER_TURN / 2)
    expect(Math.max(...turns)).toBeLessThan(3 * STEPS_PER_TURN)
  })
})
