import { describe, expect, it } from 'vitest'
import { chat } from '../../src/protocols/chat/index.ts'
import { messages } from '../../src/protocols/messages/index.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translate } from '../../src/protocols/translate.ts'

const hello = { role: 'user', content: 'hello' }
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const CHAT = [
  '{"id":"c","model":"gpt","created":1,"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}',
  '{"id":"c","model":"gpt","created":1,"choices":[{"index":0,"delta":{"reasoning_content":"žé漢"}}]}',
  '{"id":"c","model":"gpt","created":1,"choices":[{"index":0,"delta":{"content":"Olá 😀"}}]}',
  '{"id":"c","model":"gpt","created":1,"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t1","type":"function","function":{"name":"look","arguments":"{\\"ž\\":"}}]}}]}',
  '{"id":"c","model":"gpt","created":1,"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\"é\\"}"}}]}}]}',
  '{"id":"c","model":"gpt","created":1,"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}',
  '{"id":"c","model":"gpt","created":1,"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}',
  '[DONE]',
]
const MESSAGES = [
  '{"type":"message_start","message":{"id":"msg_1","model":"claude","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}',
  '{"type":"ping"}',
  '{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"žé漢"}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EqQB"}}',
  '{"type":"content_block_stop","index":0}',
  '{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}',
  '{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Olá 😀"}}',
  '{"type":"content_block_stop","index":1}',
  '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}',
  '{"type":"message_stop"}',
]
const FIXTURES = { chat: CHAT, messages: MESSAGES }

function play(from: Protocol, to: Protocol, chunks: readonly Uint8Array[]): string {
  let out = ''
  const body = { model: 'm', max_tokens: 9, messages: [hello], stream: true }
  const answer = translate(from, to, body, { id: () => 'made', now: 1 }).answerStream((text) => (out += text))
  for (const chunk of chunks) answer.push(chunk)
  answer.end()
  return out
}
const PAIRS = [
  [chat, chat],
  [chat, messages],
  [messages, chat],
  [messages, messages],
].map(([from, to]) => ({ from: from!, to: to!, pair: `${to!.name} read by a ${from!.name} client` }))
const eventsOf = (to: Protocol): string[] => FIXTURES[to.name as 'chat' | 'messages']
const plain = (to: Protocol): string =>
  eventsOf(to)
    .map((data) => `data: ${data}\n\n`)
    .join('')

describe('the bytes of a stream', () => {
  it.each(PAIRS)(
    'of $pair give the same response with a cut at any byte, also inside characters (trap 25)',
    ({ from, to }) => {
      const bytes = bytesOf(plain(to))
      const expected = play(from, to, [bytes])
      expect(expected).toContain('Olá 😀')
      expect(expected).toContain('žé漢')
      for (let cut = 1; cut < bytes.length; cut++) {
        const out = play(from, to, [bytes.subarray(0, cut), bytes.subarray(cut)])
        expect(out === expected, `cut at ${cut}`).toBe(true)
      }
      expect(
        play(
          from,
          to,
          Array.from(bytes, (byte) => Uint8Array.of(byte)),
        ),
      ).toBe(expected)
    },
  )

  it.each(PAIRS)('of $pair give the same response for every spelling of events (trap 26)', ({ from, to }) => {
    const expected = play(from, to, [bytesOf(plain(to))])
    const spell = (line: (data: string) => string) => eventsOf(to).map(line).join('')
    const spellings = {
      crlf: spell((data) => `data: ${data}\r\n\r\n`),
      cr: spell((data) => `data: ${data}\r\r`),
      noSpace: spell((data) => `data:${data}\n\n`),
      comments: spell((data) => `: OPENROUTER PROCESSING\n\ndata: ${data}\n: more\n\n`),
      byteOrderMark: `\uFEFF${plain(to)}`,
      named: spell((data) => `event: ${/"type":"(\w+)"/.exec(data)?.[1] ?? 'x'}\nid: 1\ndata: ${data}\n\n`),
      severalLines: spell((data) => `data: ${data.replace(/^\{/, '{\ndata:').replace(/\}$/, '\ndata: }')}\n\n`),
    }
    for (const [name, text] of Object.entries(spellings)) {
      expect({ name, out: play(from, to, [bytesOf(text)]) }).toEqual({ name, out: expected })
      const bytes = Array.from(bytesOf(text), (byte) => Uint8Array.of(byte))
      expect({ name, out: play(from, to, bytes) }).toEqual({ name, out: expected })
    }
  })

  it.each(PAIRS)('of $pair that stop anywhere before the end never end cleanly (trap 30)', ({ from, to }) => {
    const bytes = bytesOf(plain(to))
    const whole = from === chat ? '[DONE]' : 'message_stop'
    const enough = to === chat ? plain(to).indexOf('"finish_reason":"tool_calls"') : plain(to).indexOf('message_stop')
    for (let cut = 0; cut < bytesOf(plain(to).slice(0, enough)).length; cut += 7) {
      const out = play(from, to, [bytes.subarray(0, cut)])
      expect(out).toContain('"error"')
      expect(out).not.toContain(whole)
    }
  })

  it('of an event without an end become an error, not memory', () => {
    let out = ''
    const answer = translate(chat, messages, { model: 'm', messages: [hello], stream: true }).answerStream(
      (text) => (out += text),
    )
    const chunk = bytesOf(`data: ${'x'.repeat(8 * 1024 * 1024)}`)
    for (let i = 0; i < 20 && !answer.done; i++) answer.push(chunk)
    expect(answer.failed).toMatchObject({ kind: 'upstream' })
    expect(out).toContain('"error"')
  })
})
