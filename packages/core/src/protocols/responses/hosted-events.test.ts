import { describe, expect, it } from 'vitest'
import { eventsOf, streamFor, streamFrom } from '../../../test/answer-responses.ts'
import type { JsonObject } from '../../lib/json.ts'

const event = (type: string, members: JsonObject = {}): JsonObject => ({ type: `response.${type}`, ...members })
const steps = (name: string, ...of: string[]): JsonObject[] => of.map((step) => event(`${name}.${step}`, at))
const at = { item_id: 'x_1', output_index: 0 }
const spoken = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }

/** A stream of one item with its events, and a message behind it. */
function streamOf(item: JsonObject, inside: JsonObject[]): JsonObject[] {
  const response = { id: 'resp_1', created_at: 1, model: 'gpt', output: [] }
  const { type, id } = item
  return [
    event('created', { response }),
    event('output_item.added', {
      output_index: 0,
      item: { type: type ?? null, id: id ?? null, status: 'in_progress' },
    }),
    ...inside,
    event('output_item.done', { output_index: 0, item }),
    event('output_item.added', { output_index: 1, item: { ...spoken, content: [] } }),
    event('output_text.delta', { item_id: 'msg_1', output_index: 1, content_index: 0, delta: 'Hi' }),
    event('output_item.done', { output_index: 1, item: spoken }),
    event('completed', { response: { ...response, status: 'completed', output: [item, spoken] } }),
  ]
}
const typesOf = (events: readonly JsonObject[]): string[] => events.map(({ type }) => type as string)
const doneIn = (events: readonly JsonObject[]): unknown[] =>
  events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
const contentOf = (text: string): string =>
  eventsOf(text)
    .flatMap(({ choices }) => choices as { readonly delta: JsonObject }[])
    .map(({ delta }) => (delta['content'] ?? '') as string)
    .join('')

describe('events of an item that the whole item repeats', () => {
  const edit = { type: 'update_file', path: 'a', diff: '+b' }
  it.each<[string, JsonObject, JsonObject[]]>([
    [
      '[resp.event.file_search_call]',
      { type: 'file_search_call', id: 'x_1', status: 'completed', queries: ['sky'], results: null },
      steps('file_search_call', 'in_progress', 'searching', 'completed'),
    ],
    [
      '[resp.event.mcp_call] [resp.event.mcp_call_arguments]',
      { type: 'mcp_call', id: 'x_1', status: 'completed', server_label: 'a', name: 'b', arguments: '{"c":1}' },
      [
        ...steps('mcp_call', 'in_progress'),
        event('mcp_call_arguments.delta', { ...at, delta: '{"c":1}' }),
        event('mcp_call_arguments.done', { ...at, arguments: '{"c":1}' }),
        ...steps('mcp_call', 'completed'),
      ],
    ],
    [
      '[resp.event.mcp_call]',
      { type: 'mcp_call', id: 'x_1', status: 'failed', server_label: 'a', name: 'b', arguments: '{}', error: 'no' },
      steps('mcp_call', 'in_progress', 'failed'),
    ],
    [
      '[resp.event.mcp_list_tools]',
      { type: 'mcp_list_tools', id: 'x_1', server_label: 'a', tools: [{ name: 'b', input_schema: {} }] },
      steps('mcp_list_tools', 'in_progress', 'completed', 'failed'),
    ],
    [
      '[resp.event.shell_call]',
      { type: 'shell_call', id: 'x_1', call_id: 'call_1', status: 'completed', action: { commands: ['ls'] } },
      [
        event('shell_call_command.added', { output_index: 0, command_index: 0, command: '' }),
        event('shell_call_command.delta', { output_index: 0, command_index: 0, delta: 'ls' }),
        event('shell_call_command.done', { output_index: 0, command_index: 0, command: 'ls' }),
        event('shell_call_output_content.delta', { ...at, command_index: 0, delta: { stdout: 'a.txt' } }),
        event('shell_call_output_content.done', { ...at, command_index: 0, output: [] }),
      ],
    ],
    [
      '[resp.event.apply_patch_call]',
      { type: 'apply_patch_call', id: 'x_1', call_id: 'call_1', status: 'completed', operation: edit },
      [
        event('apply_patch_call_operation_diff.delta', { ...at, delta: '+b', obfuscation: 'xyz' }),
        event('apply_patch_call_operation_diff.done', { ...at, diff: '+b' }),
      ],
    ],
    [
      '[resp.event.compaction]',
      { type: 'compaction', id: 'x_1', encrypted_content: 'gAAA' },
      [event('compaction.compacting', at)],
    ],
  ])('%s do no harm, and a client of Responses gets the item', (_row, item, inside) => {
    const sent = streamOf(item, inside)
    const got = eventsOf(streamFor('responses', sent))
    expect(doneIn(got)).toMatchObject([item, { type: 'message' }])
    expect(got.at(-1)).toMatchObject({ type: 'response.completed', response: { output: doneIn(got) } })
    const own = new Set(typesOf(inside))
    expect(typesOf(got).filter((type) => own.has(type))).toEqual([])
    expect(contentOf(streamFor('chat', sent))).toBe('Hi')
  })
})

describe('the events of code', () => {
  const code = { type: 'code_interpreter_call', id: 'x_1', status: 'completed', container_id: 'c_1', code: '1+1' }
  const whole = { ...code, outputs: [{ type: 'logs', logs: '2' }] }
  const written = (item_id: string) => {
    const address = { item_id, output_index: 0 }
    return [
      { type: 'response.code_interpreter_call.in_progress', ...address },
      { type: 'response.code_interpreter_call_code.delta', ...address, delta: '1+1' },
      { type: 'response.code_interpreter_call_code.done', ...address, code: '1+1' },
      { type: 'response.code_interpreter_call.interpreting', ...address },
      { type: 'response.code_interpreter_call.completed', ...address },
    ]
  }
  const inside = [
    ...steps('code_interpreter_call', 'in_progress'),
    event('code_interpreter_call_code.delta', { ...at, delta: '1' }),
    event('code_interpreter_call_code.delta', { ...at, delta: '+1' }),
    event('code_interpreter_call_code.done', { ...at, code: '1+1' }),
    ...steps('code_interpreter_call', 'interpreting', 'completed'),
  ]

  it('[resp.event.code_interpreter_call] [resp.event.code_interpreter_call_code] of an upstream are repeated by its item', () => {
    const text = streamFor('genai', streamOf(whole, inside))
    expect(text).toContain(JSON.stringify({ executableCode: { language: 'PYTHON', code: '1+1' } }))
    expect(text.match(/1\+1/g)).toHaveLength(1)
    expect(contentOf(streamFor('chat', streamOf(whole, inside)))).toContain('```python\n1+1\n```')
  })

  it.each<[string, () => JsonObject[], string]>([
    ['of Responses', () => eventsOf(streamFor('responses', streamOf(whole, inside))), 'x_1'],
    ['of genai', () => streamFrom('genai', genai), 'ci_made'],
  ])(
    '[resp.event.code_interpreter_call] [resp.event.code_interpreter_call_code] are written for an upstream %s',
    (_name, read, id) => {
      const got = read()
      expect(withoutNumbers(got, 'code_interpreter')).toEqual(written(id))
      expect(addedIn(got)).toMatchObject({ type: code.type, id, status: 'in_progress', code: '', outputs: null })
      expect(doneIn(got)[0]).toMatchObject({ ...whole, id, container_id: id === 'x_1' ? 'c_1' : '' })
    },
  )
  const genai = [
    { candidates: [{ content: { role: 'model', parts: [{ executableCode: { language: 'PYTHON', code: '1+1' } }] } }] },
    chunk({ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } }),
  ]
})

describe('the events of an image', () => {
  const image = { type: 'image_generation_call', id: 'x_1', status: 'completed', result: 'AAAA' }
  const partial = event('image_generation_call.partial_image', {
    ...at,
    partial_image_index: 0,
    partial_image_b64: 'BBBB',
  })
  const inside = [
    ...steps('image_generation_call', 'in_progress', 'generating'),
    partial,
    ...steps('image_generation_call', 'completed'),
  ]

  it.each(['chat', 'messages', 'genai', 'responses'] as const)(
    '[resp.event.image_generation_call] [resp.event.partial_image] of an upstream bring one image, the last, to %s',
    (to) => {
      const text = streamFor(to, streamOf(image, inside))
      expect([text.includes('AAAA'), text.includes('BBBB')]).toEqual([true, false])
    },
  )

  it.each<[string, () => JsonObject[], string]>([
    ['of Responses', () => eventsOf(streamFor('responses', streamOf(image, inside))), 'x_1'],
    [
      'of genai',
      () => streamFrom('genai', [chunk({ inlineData: { mimeType: 'image/png', data: 'AAAA' } })]),
      'ig_made',
    ],
  ])(
    '[resp.event.image_generation_call] are written for an upstream %s, and the image is in its item alone',
    (_name, read, id) => {
      const got = read()
      expect(withoutNumbers(got, 'image_generation')).toEqual(
        ['in_progress', 'generating', 'completed'].map((step) => ({
          type: `response.image_generation_call.${step}`,
          item_id: id,
          output_index: 0,
        })),
      )
      expect(addedIn(got)).toEqual({ type: image.type, id, status: 'in_progress', result: null })
      expect(doneIn(got)[0]).toEqual({ ...image, id })
    },
  )
})

function chunk(part: JsonObject): JsonObject {
  return { candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] }
}

function addedIn(events: readonly JsonObject[]): unknown {
  return events.find(({ type }) => type === 'response.output_item.added')?.['item']
}

function withoutNumbers(events: readonly JsonObject[], name: string): JsonObject[] {
  return events
    .filter(({ type }) => (type as string).startsWith(`response.${name}`))
    .map(({ sequence_number: _number, ...rest }) => rest)
}
