import { protocols } from '@dragoman/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type ServerProcess } from './process.ts'

export type Wire = { readonly [member: string]: unknown }

/** One endpoint that fields are tried at. */
export interface Endpoint {
  readonly protocol: string
  readonly path: (model: string, stream: boolean) => string
  readonly headers: (key: string) => Record<string, string>
  /** A request that needs nothing more. */
  readonly body: (model: string, stream: boolean) => Wire
  /** What a native error says, the place that it names first; throws when the body is not one. */
  readonly complaint: (body: Wire) => string
}

/** Members that are right, and members that are wrong with the place that the error must name. */
export interface Field {
  /** The rows that it is about, and what holds. */
  readonly title: string
  readonly good?: readonly Wire[]
  readonly bad?: readonly (readonly [members: Wire, place: string])[]
}

export interface Asking {
  /** Sends members beside, or in place of, those of a plain request. */
  readonly post: (members: Wire, options?: PostOptions) => Promise<Response>
  /** The JSON of an answer that must be a good one. */
  readonly answer: (members: Wire, options?: PostOptions) => Promise<Wire>
  /** The text of a stream. */
  readonly stream: (members: Wire, options?: PostOptions) => Promise<string>
  /** Expects a native 400 about this place, or one inside it; gives what it says. */
  readonly refused: (members: Wire, place: string, options?: PostOptions) => Promise<string>
}

export interface PostOptions {
  /** The model of the endpoint's own protocol when absent. */
  readonly model?: string
  readonly stream?: boolean
  readonly headers?: Record<string, string>
}

export const MODELS: readonly string[] = protocols.map(({ name }) => `sim/${name}-1`)

/** Starts a server for the tests of a file and asks it at one endpoint. */
export function useEndpoint(endpoint: Endpoint, environment: { readonly [name: string]: string } = {}): Asking {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ DRAGOMAN_LOG: 'silent', ...environment })
  })
  afterAll(() => server.stop())

  const post: Asking['post'] = (members, { model, stream = false, headers = {} } = {}) => {
    const asked = model ?? `sim/${endpoint.protocol}-1`
    return fetch(server.url + endpoint.path(asked, stream), {
      method: 'POST',
      headers: { ...endpoint.headers(server.key), ...headers },
      body: JSON.stringify({ ...endpoint.body(asked, stream), ...members }),
    })
  }
  return {
    post,
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
    async refused(members, place, options) {
      const answer = await post(members, options)
      const body = (await answer.json()) as Wire
      if (answer.status !== 400)
        throw new Error(`${place} should be refused, got ${answer.status}: ${JSON.stringify(body)}`)
      const complaint = endpoint.complaint(body)
      const [named = ''] = complaint.split(/[\s:]/, 1)
      if (!`${named}.`.startsWith(`${place}.`)) throw new Error(`"${complaint}" should be about ${place}`)
      return complaint
    },
  }
}

/** Every field is taken by every upstream when it is right, and refused by name, before any upstream, when it is not. */
export function describeFields(asking: Asking, fields: readonly Field[]): void {
  const taken = fields.flatMap(({ title, good = [] }) =>
    good.length === 0 ? [] : MODELS.map((model) => ({ title, model, good })),
  )
  const wrong = fields.flatMap(({ title, bad = [] }) => (bad.length === 0 ? [] : [{ title, bad }]))

  it.each(taken)('$title, taken to $model', async ({ good, model }) => {
    const answers: Wire[] = []
    for (const members of good) answers.push(await asking.answer(members, { model }))
    expect(answers).toHaveLength(good.length)
  })

  it.each(wrong)('$title, refused by name otherwise', async ({ bad }) => {
    const complaints: string[] = []
    for (const [members, place] of bad) complaints.push(await asking.refused(members, place))
    expect(complaints).toHaveLength(bad.length)
  })
}

/** What stands at a path inside a body. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value
  for (const key of path)
    found = typeof found === 'object' && found !== null ? (found as Record<string | number, unknown>)[key] : undefined // just seen
  return found
}
