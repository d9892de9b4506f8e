import { describe, expect, it } from 'vitest'
import { translate, translateResponse, type JsonObject } from '../../src/index.ts'
import { protocols } from '../../src/protocols/index.ts'

/** Words that every object has a member for, where its own members are not asked for. */
const WORDS = ['constructor', 'toString', 'hasOwnProperty', '__proto__']

const TURN = { role: 'user', content: 'Hi' }
const CONTENTS = [{ role: 'user', parts: [{ text: 'Hi' }] }]
const TOOLS = [{ functionDeclarations: [{ name: 'look' }] }]

/** Requests with a word in a member to which vendors add words. */
const REQUESTS: { readonly [what: string]: (word: string) => JsonObject } = {
  'chat effort': (word) => ({ model: 'm', messages: [TURN], reasoning_effort: word }),
  'chat tier': (word) => ({ model: 'm', messages: [TURN], service_tier: word }),
  'messages display': (word) => ({
    model: 'm',
    max_tokens: 4096,
    messages: [TURN],
    thinking: { type: 'enabled', budget_tokens: 2048, display: word },
  }),
  'messages effort': (word) => ({
    model: 'm',
    max_tokens: 4096,
    messages: [TURN],
    thinking: { type: 'adaptive' },
    output_config: { effort: word },
  }),
  'genai mode': (word) => ({ contents: CONTENTS, tools: TOOLS, toolConfig: { functionCallingConfig: { mode: word } } }),
  'genai format': (word) => ({ contents: CONTENTS, generationConfig: { responseMimeType: word } }),
  'genai level': (word) => ({ contents: CONTENTS, generationConfig: { thinkingConfig: { thinkingLevel: word } } }),
  'responses effort': (word) => ({ model: 'm', input: 'Hi', reasoning: { effort: word } }),
}

describe('a word that is a member of every object', () => {
  const cases = Object.keys(REQUESTS).flatMap((what) => WORDS.map((word) => [what, word] as const))

  it.each(cases)('is passed on within its protocol: %s %s', (what, word) => {
    const body = REQUESTS[what]!(word)
    const protocol = protocols.find(({ name }) => what.startsWith(name))!
    const { body: wire } = translate(protocol, protocol, body, { match: { model: 'm', stream: false } })
    expect(JSON.stringify(wire)).toContain(JSON.stringify(word))
  })

  it.each(cases)('becomes plain JSON in every other protocol: %s %s', (what, word) => {
    const from = protocols.find(({ name }) => what.startsWith(name))!
    for (const to of protocols) {
      const { body } = translate(from, to, REQUESTS[what]!(word), { match: { model: 'm', stream: false } })
      // Functions cannot be cloned.
      expect(structuredClone(body)).toEqual(body)
    }
  })

  it.each(WORDS)('is not a reason for which a response of Responses has ended: %s', (reason) => {
    const responses = protocols.find(({ name }) => name === 'responses')!
    const body = { id: 'r', model: 'm', status: 'incomplete', incomplete_details: { reason }, output: [] }
    for (const to of protocols) {
      const { body: wire } = translateResponse(to, responses, body)
      expect(structuredClone(wire)).toEqual(wire)
    }
  })
})
