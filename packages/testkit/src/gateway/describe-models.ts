import { expect, it } from 'vitest'
import type { Send } from './ask.ts'

const FACTS = {
  display_name: 'Simulated messages 1',
  input_modalities: ['text', 'image', 'file'],
  output_modalities: ['text'],
  capabilities: { reasoning: true },
  context_length: 128_000,
  pricings: { prompt: [{ value: 0, unit: 'perMTokens', currency: 'USD' }] },
}
const ID = 'sim/messages-1'
const GENAI = {
  name: ID,
  displayName: 'Simulated messages 1',
  description: expect.stringContaining('messages protocol') as string,
  inputTokenLimit: 128_000,
  outputTokenLimit: 32_000,
  thinking: true,
  inputModalities: ['text', 'image', 'file'],
  outputModalities: ['text'],
  pricings: FACTS.pricings,
}
const GENAI_LISTS = ['v1beta/models', 'v1/models', 'v1/publishers/google/models', 'v1beta1/publishers/google/models']

/** The model lists, which need no key. */
export function describeModels(send: Send): void {
  const get = async (path: string): Promise<unknown> => (await send(path)).json()

  it('[auth.models.open] [models.chat] [models.get] [models.pricing] [models.modalities] lists models for chat without a key', async () => {
    const entry = { ...FACTS, id: ID, object: 'model', owned_by: 'dragoman', created: expect.any(Number) as number }
    const list = await get('/api/v1/models')
    expect(list).toMatchObject({ object: 'list' })
    expect(pick(list, 'data', 'id')).toMatchObject([{ id: 'sim/chat-1' }, entry, { id: 'sim/genai-1' }])
    expect(await get('/api/v1/models/sim%2Fmessages-1')).toMatchObject(entry)
    expect((await send('/api/v1/models/sim%2Fnobody')).status).toBe(404)
  })

  it('[auth.models.open] [models.messages] [models.get] lists and pages models for messages without a key', async () => {
    const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string
    const entry = { ...FACTS, id: ID, type: 'model', created_at: day }
    expect(await get('/api/anthropic/v1/models?limit=1')).toMatchObject({
      data: [{ id: 'sim/chat-1' }],
      has_more: true,
      last_id: 'sim/chat-1',
    })
    expect(await get('/api/anthropic/v1/models?limit=1&after_id=sim/chat-1')).toMatchObject({
      data: [entry],
      first_id: ID,
    })
    expect(await get('/api/anthropic/v1/models/sim%2Fmessages-1')).toMatchObject(entry)
  })

  it.each(GENAI_LISTS)('[auth.models.open] [models.genai] [models.genai.paths] lists models at %s', async (path) => {
    const models = pick(await get(`/api/vertex-ai/${path}`), 'models', 'name')
    expect(models).toMatchObject([{ name: 'sim/chat-1' }, GENAI, { name: 'sim/genai-1' }])
  })

  it.each([
    'v1/publishers/sim/models/messages-1',
    'v1beta/models/sim/messages-1',
    'v1beta1/models/sim%2Fmessages-1',
    'v1/publishers/google/models/messages-1',
  ])('[models.get] [base.genai] gives one model at %s', async (path) => {
    expect(await get(`/api/vertex-ai/${path}`)).toMatchObject(GENAI)
  })
}

/** The simulated models for conversations, in their order. A gateway may offer more models than those that the suite uses. */
function pick(list: unknown, member: string, id: string): unknown {
  const { [member]: entries } = list as { readonly [member: string]: readonly { readonly [id: string]: unknown }[] } // by its protocol
  return entries?.filter((entry) => NAMES.has(entry[id]))
}

const NAMES: ReadonlySet<unknown> = new Set(['sim/chat-1', ID, 'sim/genai-1'])
