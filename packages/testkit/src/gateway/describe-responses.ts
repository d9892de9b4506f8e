import { describe, expect, it } from 'vitest'
import type { Ask, Send } from './ask.ts'
import { responses, type Wire } from './dialogue.ts'

const model = 'sim/messages-1'

/** What needs a server that stores answers, and what the clients of such a server get here. */
export function describeResponses(send: Send, ask: Ask, key: () => string): void {
  describe('responses', () => {
    it.each<[string, string, unknown, string]>([
      ['[resp.state.previous_response_id]', 'previous_response_id', 'resp_1', 'send the whole conversation'],
      ['[resp.state.conversation]', 'conversation', 'conv_1', 'send the whole conversation'],
      ['[resp.state.conversation]', 'conversation', { id: 'conv_1' }, 'send the whole conversation'],
      ['[resp.state.background]', 'background', true, 'leave it out'],
      ['[resp.state.prompt]', 'prompt', { id: 'pmpt_1' }, 'send instructions and input'],
    ])('%s refuses %s %j, and says what to do instead', async (_row, param, value, advice) => {
      for (const target of ['sim/responses-1', model]) {
        const answer = await ask(responses, target, 'Hi', { members: { [param]: value } })
        expect([answer.status, await errorOf(answer)]).toMatchObject([
          400,
          { type: 'invalid_request_error', param, message: expect.stringContaining(advice) as string },
        ])
        const absent = await ask(responses, target, 'Hi', { members: { [param]: null } })
        expect(absent.status).toBe(200)
      }
    })

    it.each([
      ['[resp.family.get]', 'GET', 'resp_1'],
      ['[resp.family.get]', 'GET', 'resp_1?stream=true'],
      ['[resp.family.delete]', 'DELETE', 'resp_1'],
      ['[resp.family.cancel]', 'POST', 'resp_1/cancel'],
      ['[resp.family.input_items]', 'GET', 'resp_1/input_items'],
      ['[resp.family.compact]', 'POST', 'compact'],
    ])('%s has no %s /responses/%s', async (_row, method, path) => {
      const init = method === 'POST' ? { method, headers: responses.headers(key()), body: '{}' } : { method }
      const answer = await send(`/api/v1/responses/${path}`, { headers: responses.headers(key()), ...init })
      expect([answer.status, await errorOf(answer)]).toMatchObject([
        404,
        { type: 'not_found_error', param: null, message: expect.stringContaining('/api/v1/responses/') as string },
      ])
    })

    it.each(['sim/responses-1', model])('[resp.input_tokens] counts tokens for %s', async (target) => {
      const path = '/api/v1/responses/input_tokens'
      const countOf = async (text: string): Promise<unknown> => {
        const answer = await ask(responses, target, text, { path })
        const body = (await answer.json()) as Wire
        expect([answer.status, body]).toMatchObject([200, { object: 'response.input_tokens' }])
        return body['input_tokens']
      }
      const short = await countOf('Hi')
      expect(short).toBeGreaterThan(0)
      expect(await countOf('Hi '.repeat(100))).toBeGreaterThan(Number(short))
    })

    it('[resp.store] reports that nothing is stored, whatever the request has', async () => {
      for (const store of [true, false, null]) {
        const answer = await ask(responses, model, 'Hi', { members: { store } })
        expect([answer.status, await answer.json()]).toMatchObject([200, { store: false }])
      }
    })
    describeReferences(ask)
  })
}

function describeReferences(ask: Ask): void {
  it.each(['whole', 'streamed'] as const)(
    '[resp.item_reference] takes references to items of its %s answers, unless they were not to be stored',
    async (delivery) => {
      const followUp = async (members: Wire): Promise<Response> => {
        const first = await (await ask(responses, model, 'Hi', { delivery, members })).text()
        const [id] = /\bmsg_\w+/.exec(first) ?? []
        const input = [
          { role: 'user', content: 'Hi' },
          { type: 'item_reference', id },
          { role: 'user', content: 'And now?' },
        ]
        return ask(responses, model, '', { members: { input } })
      }
      const answer = await followUp({})
      expect(responses.text((await answer.json()) as Wire)).toContain('And now?')
      const refused = await followUp({ store: false })
      expect([refused.status, await errorOf(refused)]).toMatchObject([
        400,
        { param: 'input[1]', message: expect.stringContaining('set the provider option store to false') as string },
      ])
    },
  )
}

async function errorOf(answer: Response): Promise<unknown> {
  return ((await answer.json()) as Wire)['error']
}
