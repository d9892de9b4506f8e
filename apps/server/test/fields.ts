import { protocols } from '@dragoman/core/protocols'
import { expect, it } from 'vitest'
import { useServer } from './shared-server.ts'

export type Wire = { readonly [member: string]: unknown }

/** One endpoint for tests of fields. */
export interface Endpoint {
  readonly protocol: string
  readonly path: (model: string, stream: boolean) => string
  readonly headers: (key: string) => Record<string, string>
  /** A minimal valid request. */
  readonly body: (model: string, stream: boolean) => Wire
  /** The message of a native error, beginning with the path that it names. Throws if the body is not one. */
  readonly complaint: (body: Wire) => string
}

/** Valid members, invalid members with the path that the error must name, and unknown words with the path of their loss. */
export interface Field {
  /** The rows, and the behavior. */
  readonly title: string
  readonly good?: readonly Wire[]
  readonly bad?: readonly (readonly [members: Wire, path: string])[]
  readonly unknown?: readonly (readonly [members: Wire, path: string, taking?: string])[]
}

export interface EndpointClient {
  readonly key: () => string
  /** Sends members in addition to those of a plain request, or instead of them. */
  readonly post: (members: Wire, options?: PostOptions) => Promise<Response>
  /** The JSON of a successful response. */
  readonly answer: (members: Wire, options?: PostOptions) => Promise<Wire>
  /** The text of a stream. */
  readonly stream: (members: Wire, options?: PostOptions) => Promise<string>
  /** `relay` for a model of the endpoint's own protocol. */
  readonly modeFor: (model: string) => 'relay' | 'translate'
  /** Expects a native 400 about this path, or one inside it. Returns its message. */
  readonly refused: (members: Wire, path: string, options?: PostOptions) => Promise<string>
}

export interface PostOptions {
  /** By default the model of the endpoint's own protocol. */
  readonly model?: string
  readonly stream?: boolean
  readonly headers?: Record<string, string>
}

export const MODELS: readonly string[] = protocols.map(({ name }) => `sim/${name}-1`)

/** The models with stop sequences and with limits below 16 tokens: Responses has neither. */
export const STOPPING: readonly string[] = MODELS.filter((model) => model !== 'sim/responses-1')

/** Calls one of the endpoints of a server that files share. */
export function useEndpoint(endpoint: Endpoint, server = useServer()): EndpointClient {
  const post: EndpointClient['post'] = (members, { model, stream = false, headers = {} } = {}) => {
    const asked = model ?? `sim/${endpoint.protocol}-1`
    return fetch(server().url + endpoint.path(asked, stream), {
      method: 'POST',
      headers: { ...endpoint.headers(server().key), ...headers },
      body: JSON.stringify({ ...endpoint.body(asked, stream), ...members }),
    })
  }
  return {
    post,
    key: () => server().key,
    modeFor: (model) => (model === `sim/${endpoint.protocol}-1` ? 'relay' : 'translate'),
    async answer(members, options) {
      const answer = await post(members, options)
      if (answer.status !== 200) throw new Error(`${JSON.stringify(members)} got ${await answer.text()}`)
      return (await answer.json()) as Wire
    },
    async stream(members, options) {
      const answer = await post(members, { ...options, stream: true })
      if (answer.status !== 200) throw new Error(`${JSON.stringify(members)} got ${await answer.text()}`)
      return answer.text()
    },
    async refused(members, path, options) {
      const answer = await post(members, options)
      const body = (await answer.json()) as Wire
      if (answer.status !== 400)
        throw new Error(`${path} should be refused, got ${answer.status}: ${JSON.stringify(body)}`)
      const complaint = endpoint.complaint(body)
      const [named = ''] = complaint.split(/[\s:]/, 1)
      if (!`${named}.`.startsWith(`${path}.`)) throw new Error(`"${complaint}" should be about ${path}`)
      return complaint
    },
  }
}

/**
 * Every upstream accepts a valid field. An invalid one is refused by name, before any upstream is called. An unknown word is relayed to an
 * upstream of the same protocol, and a loss toward the others.
 */
export function describeFields(client: EndpointClient, fields: readonly Field[]): void {
  const taken = fields.flatMap(({ title, good = [] }) =>
    good.length === 0 ? [] : MODELS.map((model) => ({ title, model, good })),
  )
  const unlisted = fields.flatMap(({ title, unknown = [] }) =>
    unknown.length === 0 ? [] : MODELS.map((model) => ({ title, model, unknown })),
  )
  const wrong = fields.flatMap(({ title, bad = [] }) => (bad.length === 0 ? [] : [{ title, bad }]))

  it.each(taken)('$title, accepted for $model', async ({ good, model }) => {
    const answers: Wire[] = []
    for (const members of good) answers.push(await client.answer(members, { model }))
    expect(answers).toHaveLength(good.length)
  })

  it.each(wrong)('$title, invalid values refused by name', async ({ bad }) => {
    const complaints: string[] = []
    for (const [members, path] of bad) complaints.push(await client.refused(members, path))
    expect(complaints).toHaveLength(bad.length)
  })

  it.each(unlisted)('$title, unknown words accepted for $model', async ({ unknown, model }) => {
    const mode = client.modeFor(model)
    for (const [members, path, taking] of unknown) {
      const { status, headers } = await client.post(members, { model })
      expect([status, headers.get('x-dragoman-path')]).toEqual([200, mode])
      const dropped = headers.get('x-dragoman-losses')?.match(/(?<=dropped )[^,]+/g) ?? []
      expect(dropped.filter((lost) => lost === path)).toEqual(mode === 'relay' || model === taking ? [] : [path])
    }
  })
}

/** The value at a path of a body. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value
  for (const key of path)
    found = typeof found === 'object' && found !== null ? (found as Record<string | number, unknown>)[key] : undefined // checked above
  return found
}
