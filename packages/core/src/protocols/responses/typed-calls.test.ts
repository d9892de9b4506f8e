import { describe, expect, it } from 'vitest'
import { chat, genai, messages, responses } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate } from '../translate.ts'

const PARAMETERS = { type: 'object', properties: { query: { type: 'string' } } }
const SEARCH = { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters: PARAMETERS }
const FOUND = {
  type: 'namespace',
  name: 'mcp',
  tools: [{ type: 'function', name: 'mail', description: 'Sends.', parameters: { type: 'object' } }],
}
const ask = { type: 'message', role: 'user', content: 'Send it.' }
const searched = (id: string) => [
  { type: 'tool_search_call', id: `tsc_${id}`, call_id: id, execution: 'client', arguments: { query: 'mail' } },
  { type: 'tool_search_output', call_id: id, execution: 'client', tools: [FOUND] },
]

function sent(upstream: typeof messages, input: readonly JsonObject[], tools: readonly JsonObject[] = [SEARCH]) {
  return translate(responses, upstream, responses.request.check({ model: 'm', input: [ask, ...input], tools }))
}

describe('a search for tools that the client runs', () => {
  it('comes whole in a stream, with arguments that are an object', () => {
    let frames = ''
    const stream = translate(
      responses,
      chat,
      responses.request.check({ model: 'm', input: 'Go.', stream: true, tools: [SEARCH] }),
    ).answerStream((piece) => (frames += piece))
    const call = (id: object, text: string) => ({ tool_calls: [{ index: 0, ...id, function: { arguments: text } }] })
    const chunk = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
    const named = {
      tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'tool_search', arguments: '' } }],
    }
    const pieces = [chunk(named), chunk(call({}, '{"query":')), chunk(call({}, '"mail"}')), chunk({}, 'tool_calls')]
    stream.push(new TextEncoder().encode(`${pieces.join('')}data: [DONE]\n\n`))
    stream.end()
    const [, done = '{}'] = /^event: response\.output_item\.done\ndata: (.*)$/m.exec(frames) ?? []
    expect(JSON.parse(done)).toMatchObject({
      item: { type: 'tool_search_call', call_id: 'call_1', arguments: { query: 'mail' }, execution: 'client' },
    })
  })

  it('brings tools to models of other protocols, which read their names in the result', () => {
    const { body, losses } = sent(messages, searched('call_1'))
    expect(body['tools']).toMatchObject([{ name: 'tool_search' }, { name: 'mcp__mail' }])
    expect(body['messages']).toMatchObject([
      {},
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call_1', name: 'tool_search', input: { query: 'mail' } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: '{"tools":["mcp__mail"]}' }] },
    ])
    expect(losses.map(({ wirePath }) => wirePath)).toContain('input[2]')
  })

  it('is sent to a Responses model as it came', () => {
    expect(sent(responses, searched('call_1')).body).toMatchObject({
      input: [ask, ...searched('call_1')],
      tools: [SEARCH],
    })
  })

  it.each([
    ['messages', messages],
    ['chat', chat],
    ['genai', genai],
  ])('declares a tool that was found twice once to %s, and reports it', (_name, upstream) => {
    const { body, losses } = sent(upstream, [...searched('call_1'), ...searched('call_2')])
    expect(JSON.stringify(body['tools']).match(/mcp__mail/g)).toHaveLength(1)
    expect(losses).toContainEqual(expect.objectContaining({ kind: 'dropped', path: ['tools', 2] }))
  })
})

describe('an action that the client runs', () => {
  const shell = { type: 'shell_call', id: 'sh_1', call_id: 'call_1', action: { commands: ['ls'] } }
  const ran = { stdout: 'a.txt', stderr: '', outcome: { type: 'exit', exit_code: 0 } }
  const patched = {
    type: 'apply_patch_call',
    id: 'apc_1',
    call_id: 'call_2',
    operation: { type: 'delete_file', path: 'a' },
  }
  const clicked = { type: 'computer_call', id: 'cu_1', call_id: 'call_3', action: { type: 'screenshot' } }
  const shot = { type: 'computer_screenshot', image_url: 'data:image/png;base64,AAAA' }
  const input = [
    shell,
    patched,
    clicked,
    { type: 'shell_call_output', call_id: 'call_1', output: [ran] },
    { type: 'apply_patch_call_output', call_id: 'call_2', status: 'failed', output: 'No such file.' },
    { type: 'computer_call_output', call_id: 'call_3', output: shot },
  ]

  it('is a call with its result for other models; an image in it stays an image', () => {
    expect(sent(messages, input, []).body['messages']).toMatchObject([
      {},
      {
        content: [
          { type: 'tool_use', name: 'shell', input: { commands: ['ls'] } },
          { type: 'tool_use', name: 'apply_patch', input: { path: 'a' } },
          { type: 'tool_use', name: 'computer', input: { type: 'screenshot' } },
        ],
      },
      {
        content: [
          { tool_use_id: 'call_1', content: JSON.stringify({ output: [ran] }) },
          { tool_use_id: 'call_2', content: 'No such file.', is_error: true },
          { tool_use_id: 'call_3', content: [{ type: 'image', source: { type: 'base64', data: 'AAAA' } }] },
        ],
      },
    ])
  })

  it('is sent to a Responses model as it came', () => {
    expect(sent(responses, input, []).body['input']).toEqual([ask, ...input])
  })
})

it.each([
  ['messages', messages],
  ['chat', chat],
  ['genai', genai],
])('[resp.tool.mcp:through] keeps its secrets out of the report, toward %s', (_name, upstream) => {
  const server = { type: 'mcp', server_label: 'mail', server_url: 'https://mail.test' }
  const secrets = { authorization: 'sk-mail-secret', headers: { 'x-key': 'sk-mail-secret' } }
  const { body, losses } = sent(upstream, [], [{ ...server, ...secrets }])
  expect(losses).toContainEqual(expect.objectContaining({ kind: 'dropped', wirePath: 'tools[0]' }))
  expect(JSON.stringify([body, losses])).not.toContain('sk-mail-secret')
})
