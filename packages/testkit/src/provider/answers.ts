import { dialectOf } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { mustReadSameAtAnyCut } from '../laws/cuts.ts'
import { clientOf, clients, type Client } from './clients.ts'
import { SCRIPTS_OF } from './scripts/scripts-of.ts'
import type { Stage } from './stage.ts'
import type { AnswerCase, ProviderSubject } from './subject.ts'

/** Responses of the upstream, as every client understands them. */
export function describeAnswers(subject: ProviderSubject, protocol: string, stage: () => Stage): void {
  const cases = [...(SCRIPTS_OF[protocol] ?? []), ...(subject.answers ?? [])].filter(
    (each) => each.protocol === protocol,
  )
  const runs = cases.flatMap((each) =>
    clients
      .filter(({ protocol: { name } }) => each.clients?.includes(name) ?? true)
      .map((client) => ({ ...each, client: client.protocol.name })),
  )
  describe('answers', () => {
    it.each(runs)('$title, for a $client client', async (run) => {
      await mustUnderstand(stage(), run, clientOf(run.client))
    })
    const own = cases.filter((each) => subject.answers?.includes(each) && each.answer.frames !== undefined)
    it.each(own)('$title, cut at any position', ({ answer, model = subject.model }) => {
      const card = stage().provider.models.find(({ name }) => name === model)
      const dialect = card === undefined ? undefined : dialectOf(card, protocol)
      mustReadSameAtAnyCut(clientOf(protocol).protocol, (answer.frames ?? []).join(''), dialect)
    })
  })
}

async function mustUnderstand(stage: Stage, { answer, model, expects }: AnswerCase, client: Client): Promise<void> {
  const { upstream, ask, usage: records } = stage
  const before = records.length
  upstream.answer(answer)
  const { understood, text } = await ask(client, { model, stream: answer.frames !== undefined, more: client.tools })
  const { usage = {}, cost, error = false, ...members } = expects
  const { error: message, ...read } = understood
  expect({ ...read, failed: message !== undefined, answer: text }).toMatchObject(
    error ? { failed: true } : { failed: false, ...members },
  )
  const { outcome, usage: counted, cost: billed } = records.at(-1) ?? {}
  expect(records.length).toBe(before + 1)
  expect(error || outcome === 'complete').toBe(true)
  expect({ ...counted }).toMatchObject(usage === 'unknown' ? { estimated: true } : usage)
  const isEstimated = counted?.estimated === true
  expect(expects.usage === undefined || isEstimated === (usage === 'unknown')).toBe(true)
  const items = Object.fromEntries(billed?.items.map(({ name, nanos }) => [name, nanos]) ?? [])
  expect(items).toEqual(cost ?? items)
}
