import { describe, expect, it } from 'vitest'
import type { Client } from '../clients/client.ts'
import { PAIRS, useStage } from './stage.ts'

const { server, double } = useStage()

/** How each vendor refuses a conversation that is too long. */
const WORDS_OF = {
  chat: {
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    param: 'messages',
    message:
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens. Please reduce the length of the messages.",
  },
  messages: { type: 'invalid_request_error', message: 'prompt is too long: 8545 tokens > 8192 maximum' },
  genai: {
    type: 'INVALID_ARGUMENT',
    message: 'The input token count (8545) exceeds the maximum number of tokens allowed (8192).',
  },
} as const
/** OpenAI has the same words for both of its APIs. */
const REFUSAL_OF = {
  ...WORDS_OF,
  responses: { ...WORDS_OF.chat, param: 'input' },
} as const satisfies Record<Client['protocol'], object>

/** Responses has words of its own too, which codex does not read: it goes by the code. */
const OWN = /maximum context length is 8192|context window of this model: 8545 tokens, with a limit of 8192/

const literal = (text: string): RegExp => new RegExp(text.replaceAll(/[.()]/g, String.raw`\$&`))

describe('a conversation that is too long', () => {
  it.each(PAIRS)("[err.native] $title: in the client's own words (trap 75)", async ({ client, upstream }) => {
    double(upstream).play({ status: 400, error: REFUSAL_OF[upstream.protocol] })
    const conversation = client.converse(server(), { model: upstream.model, delivery: 'streamed' })
    const raised = await conversation.send('Hello').then(
      () => expect.fail('It answered.'),
      (thrown: unknown) => client.raised(thrown),
    )
    const { message } = REFUSAL_OF[client.protocol]
    expect(raised).toMatchObject({
      isNative: true,
      status: 400,
      message: expect.stringMatching(client.protocol === 'responses' ? OWN : literal(message)) as unknown,
      ...(client.name.startsWith('openai') ? { code: 'context_length_exceeded' } : {}),
    })
  })
})
