import type { JsonObject } from '@dragoman/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf } from './clients.ts'
import { CALLER_KEY, createStage, type Stage } from './stage.ts'
import type { ProviderSubject, ScriptedAnswer } from './subject.ts'
import type { SeenCall } from './upstream.ts'

/** A media model of a provider, for which a table says what its upstream gets for each parameter. */
export interface MediaSubject extends Pick<ProviderSubject, 'create' | 'auth' | 'basePath'> {
  readonly model: string
  /** The call that clients make: `predict` for images, `predictLongRunning` for videos. */
  readonly action: 'predict' | 'predictLongRunning'
  /** Answers everything that the provider calls; the first call is compared. */
  readonly answer: (call: SeenCall) => ScriptedAnswer
  /** The path of the first call, unless a row says otherwise. */
  readonly path: string
  /** What the first call has in its body for a prompt alone. */
  readonly base: JsonObject
  readonly rows: readonly ParameterRow[]
}

/** One parameter of a client, and what becomes of it. */
export interface ParameterRow {
  readonly title: string
  /** Members of `instances[0]` beside the prompt. */
  readonly instance?: JsonObject
  readonly parameters?: JsonObject
  /** Members of the upstream's body, beside those that it always has. */
  readonly sees?: JsonObject
  readonly path?: string
  /** What is reported, such as `dropped settings.seed`; by default nothing. */
  readonly losses?: readonly string[]
  /** The request is refused, and the error names this. */
  readonly refused?: string
}

/** Sends each parameter through a real gateway to a scripted upstream: it is mapped, refused, or reported as lost. */
export function describeParameters(name: string, subject: MediaSubject): void {
  describe(`the parameters of ${name}`, () => {
    let stage: Stage
    beforeAll(async () => {
      stage = await createStage({ ...subject, paths: {} })
      stage.upstream.answer(subject.answer)
    })
    afterAll(() => stage.close())

    const refused = subject.rows.filter((row) => row.refused !== undefined)
    const accepted = subject.rows.filter((row) => row.refused === undefined)

    it.each(accepted)('$title', async (row) => {
      const { status, text, first, losses } = await ask(stage, subject, row)
      expect({ status, text }).toMatchObject({ status: 200 })
      expect(first?.body).toEqual({ ...subject.base, ...row.sees })
      expect(decodeURIComponent(first?.path ?? '')).toBe(row.path ?? subject.path)
      expect(losses).toEqual(row.losses ?? [])
    })

    it.each(refused)('$title', async (row) => {
      const { status, text, first } = await ask(stage, subject, row)
      expect({ status, text }).toMatchObject({ status: 400 })
      expect(text).toContain(row.refused)
      expect(first).toBeUndefined()
    })
  })
}

/** The answer, the first call that reached the upstream, and the losses in the log. */
async function ask({ upstream, log, url, provider }: Stage, subject: MediaSubject, row: ParameterRow) {
  const before = upstream.seen.length
  const path = `/api/vertex-ai/v1/publishers/${provider.name}/models/${subject.model}:${subject.action}`
  const { instance, parameters } = row
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...clientOf('genai').headers(CALLER_KEY) },
    body: JSON.stringify({
      instances: [{ prompt: 'a red kite', ...instance }],
      ...(parameters === undefined ? {} : { parameters }),
    }),
  })
  const text = await answer.text()
  const losses = log.at(-1)?.losses.map((loss) => `${loss.kind} ${loss.path.join('.')}`) ?? []
  return { status: answer.status, text, first: upstream.seen[before], losses }
}
