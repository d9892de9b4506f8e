import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Loss } from '@dragoman/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cacheMarks } from '../src/cache-marks.ts'
import { returnsSeal } from '../src/checks.ts'
import type { Protocol } from '../src/client.ts'
import { FIXTURES, type Fixture, type RecordedRequest } from '../src/fixture.ts'
import { PROTOCOLS } from '../src/scenarios.ts'
import { UPSTREAM_OF } from '../src/upstreams.ts'
import { createReplayStage, type ReplayStage } from './replay-stage.ts'

const fixtures = globSync('*.json', { cwd: FIXTURES })
  .sort()
  .map((file) => JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')) as Fixture) // written by src/fixture.ts

let stage: ReplayStage
beforeAll(async () => {
  stage = await createReplayStage()
})
afterAll(() => stage.close())

it('has requests of every kind of client', () => {
  expect(fixtures.length).toBeGreaterThan(10)
})

describe.each(fixtures)('$client', ({ protocol, echoes, requests }) => {
  const sent = requests.filter(({ body }) => body !== undefined)
  const isReturned = (request: RecordedRequest, upstream: Protocol): boolean =>
    returnsSeal({ echoes, protocol }, { upstream, stream: isStreamed(request) })
  // Agents ask for titles and the like without tools.
  const loops = sent.filter(({ scenario, body }) => scenario === 'tools' && Object.hasOwn(body as object, 'tools'))

  it.each(requests.filter(({ body }) => body === undefined))('$method $path is answered', async (request) => {
    expect((await stage.send(request, protocol)).response.status).toBeLessThan(400)
  })

  describe.each(PROTOCOLS)('to %s', (upstream) => {
    it.each(sent)('$scenario, recorded with $upstream, is accepted', async (request) => {
      const double = stage.doubles[upstream]
      double.play({ parts: [{ text: 'Fine.' }] })
      const { response, text, entry } = await stage.send(request, upstream)
      const isUnsealed = !isReturned(request, upstream) || request.upstream !== upstream
      // A relayed history of a client that loses the signatures of calls is repaired by a second attempt.
      const isRepaired = echoes === 'calls' && protocol === upstream
      const refused = double.refused.filter((reason) => !(isRepaired && reason.includes('missing a thought_signature')))
      expect([refused, response.status, text]).toEqual([[], 200, expect.stringContaining('Fine.')])
      expect(entry.losses.filter((loss) => isContent(loss, isUnsealed)).map(describeLoss)).toEqual([])
    })

    it.each(loops.filter((request) => request.upstream === upstream))(
      'returns results and signatures to $upstream',
      async (request) => {
        const double = stage.doubles[upstream]
        double.play({ parts: [{ text: 'Fine.' }] })
        await stage.send(request, upstream)
        const body = double.received.at(-1)?.body ?? {}
        const { turns } = UPSTREAM_OF[upstream].read(body)
        const called = turns.find(({ calls }) => calls.length === 2)
        expect(turns.flatMap(({ results }) => results)).toHaveLength(2)
        const seal = UPSTREAM_OF[upstream].seal(double, String(called?.calls[0]?.name))
        expect([...(called?.seals ?? []), ...(isReturned(request, upstream) ? [] : [seal])]).toContain(seal)
        const keepsMarks = protocol === 'messages' && upstream === 'messages'
        const marks = cacheMarks(body)
        expect(marks).toEqual(keepsMarks ? cacheMarks(request.body) : marks)
      },
    )
  })
})

function isStreamed({ path, body }: RecordedRequest): boolean {
  return path.includes(':stream') || (body as { stream?: boolean } | undefined)?.stream === true
}

/** Members of a part that a target need not have. */
const MARGINAL: readonly unknown[] = ['cache', 'name', 'failed', 'item']

/** Losses of what was said. Without their seals, or for another upstream, seals and reasoning may be lost. */
function isContent({ path, kind }: Loss, isUnsealed: boolean): boolean {
  const [node, , part, owner, member] = path
  // Beside its content, a turn of messages has only settings, and a message of responses an id.
  if (part === 'extras' && (owner === 'messages' || owner === 'responses')) return false
  if (node !== 'messages' || kind !== 'dropped' || path.length < 4 || MARGINAL.includes(member)) return false
  return !isUnsealed || (member !== undefined && member !== 'seal')
}

function describeLoss({ kind, path, reason }: Loss): string {
  return `${kind} ${path.join('.')}: ${reason}`
}
