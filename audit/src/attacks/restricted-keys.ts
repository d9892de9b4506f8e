import type { Scenario } from '../scenario.ts'
import { ask, read } from '../server/ask.ts'
import { vendors } from '../server/vendors.ts'

export const toolsModel: Scenario = {
  name: 'tools-model',
  attack: 'A key that may use one model names another one in `tools[].model` of a Responses request.',
  rule: 'The call is refused with a 403, or reaches an upstream without the member: no other model is used.',
  before: 'the upstream got the request with the other model',
  async run({ start, upstream, check }) {
    const server = await start({ environment: vendors(upstream.url) })
    const { secret } = await server.admin.createKey({ name: 'caller', models: ['openai/gpt-5.4'] })
    const tools = [{ type: 'image_generation', model: 'gpt-image-2' }]
    const refused = await ask(server.url, secret, 'responses', { model: 'openai/gpt-5.4', more: { tools } })
    const named = upstream.entries.filter(({ body }) => body.includes('gpt-image-2'))
    check(
      'no upstream gets the name of the other model',
      named.length === 0,
      `${refused.status}, ${named.length} requests`,
    )
    const allowed = await ask(server.url, secret, 'responses', { model: 'openai/gpt-5.4' })
    check('without the member it is served', allowed.status === 200, allowed.status)
  },
}

const VEO = 'google/models/veo-3.1-generate-001'

export const videoOwner: Scenario = {
  name: 'video-owner',
  attack: 'A video operation is polled with other keys: of the same owner, of another one, and without an owner.',
  rule: 'An operation belongs to the owner of the key; a key without an owner is its own owner.',
  before: 'held: the documents said that it belongs to the key',
  async run({ start, upstream, check }) {
    const server = await start({ environment: vendors(upstream.url) })
    const create = async (owner?: string): Promise<string> => {
      const made = await server.admin.createKey({ name: 'caller', ...(owner === undefined ? {} : { owner }) })
      return made.secret
    }
    const [ann, annToo, bob, nobody, nobodyToo] = await Promise.all([
      create('ann'),
      create('ann'),
      create('bob'),
      create(),
      create(),
    ])
    const post = (secret: string, action: string, body: object) =>
      read(
        new Request(`${server.url}/api/vertex-ai/v1/publishers/${VEO}:${action}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
    const begin = async (secret: string): Promise<string> => {
      const { text } = await post(secret, 'predictLongRunning', { instances: [{ prompt: 'A pier.' }] })
      return (JSON.parse(text) as { name: string }).name // the name of an operation
    }
    const statusesOf = async (operationName: string, secrets: readonly string[]): Promise<string> => {
      const answers = await Promise.all(
        secrets.map((secret) => post(secret, 'fetchPredictOperation', { operationName })),
      )
      return answers.map(({ status }) => status).join()
    }
    const owned = await statusesOf(await begin(ann), [ann, annToo, bob, nobody])
    check('only the owner polls it, with each key', owned === '200,200,404,404', owned)
    const alone = await statusesOf(await begin(nobody), [nobody, nobodyToo, ann])
    check('a key without an owner is its own', alone === '200,404,404', alone)
  },
}
