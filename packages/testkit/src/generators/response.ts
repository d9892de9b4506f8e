import type {
  Blocked,
  Candidate,
  Finish,
  FinishReason,
  Logprob,
  Logprobs,
  Part,
  ModelResponse,
  Usage,
} from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { count, extras, jsonObject, number, word, writing } from './json.ts'
import { contentPart } from './message.ts'
import { ranCode, serverSearch, toolCall } from './part.ts'
import { never, record, withoutAbsent } from './record.ts'
import { plainName } from './tool.ts'
import { FOREIGN, type World } from './world.ts'

/** A response: usually one candidate, sometimes several, none if the prompt was blocked. */
export function response(world: World): Arbitrary<ModelResponse> {
  const candidates = fc.oneof(
    { weight: 8, arbitrary: fc.array(candidate(world), { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(candidate(world), { minLength: 2, maxLength: 2 }) },
  )
  return fc.oneof(
    { weight: 12, arbitrary: answer(world, candidates, never) },
    { weight: 1, arbitrary: blockedAnswer(world) },
  )
}

/** A response that a stream can express: one candidate, or none if the prompt was blocked. */
export function streamedResponse(world: World): Arbitrary<ModelResponse> {
  const candidates = fc.array(candidate(world), { minLength: 1, maxLength: 1 })
  return fc.oneof(
    { weight: 12, arbitrary: answer(world, candidates, never) },
    { weight: 1, arbitrary: blockedAnswer(world) },
  )
}

function blockedAnswer(world: World): Arbitrary<ModelResponse> {
  const safety = fc.array(jsonObject(0), { minLength: 1, maxLength: 2 })
  const blocked = record<Blocked>({ reason: fc.constantFrom('SAFETY', 'OTHER') }, { message: writing(), safety })
  return fc
    .tuple(answer(world, fc.constant([]), never), blocked)
    .map(([members, blocked]) => ({ ...members, candidates: [], blocked }))
}

function answer(
  world: World,
  candidates: Arbitrary<readonly Candidate[]>,
  blocked: typeof never,
): Arbitrary<ModelResponse> {
  return record<ModelResponse>(
    { candidates },
    {
      id: word(),
      model: word().map((name) => `some/${name}`),
      created: fc.integer({ min: 1_600_000_000, max: 1_900_000_000 }),
      blocked,
      usage: usage(world),
      serviceTier: fc.constantFrom('default', 'flex', 'priority'),
      extras: extras(world),
    },
  )
}

export function candidate(world: World): Arbitrary<Candidate> {
  return record<Candidate>(
    { parts: answerParts(world), finish: finish(world) },
    {
      safety: fc.array(jsonObject(0), { minLength: 1, maxLength: 2 }),
      logprobs: logprobs(world),
      grounding: jsonObject(1),
      extras: extras(world),
    },
  ).map((one) => ({ ...one, finish: fitting(one.parts, one.finish) }))
}

function answerParts(world: World): Arbitrary<readonly Part[]> {
  const call = fc
    .tuple(toolCall(world, plainName()), fc.nat({ max: 4 }))
    .map(([part, rare]) => ({ part, withId: rare > 0 }))
  return fc
    .record({
      content: fc.array(contentPart(world), { maxLength: 4 }),
      search: fc.option(fc.oneof({ weight: 2, arbitrary: serverSearch(world) }, ranCode(world)), { freq: 1 }),
      calls: fc.array(call, { maxLength: 3 }),
      after: fc.option(contentPart(world), { freq: 1 }),
    })
    .map(({ content, search, calls, after }) => [
      ...content,
      ...(search === null || calls.length > 1 ? [] : search),
      ...calls.map(({ part, withId }, index) => (withId ? { ...part, id: `call_${index}` } : part)),
      ...(after === null || calls.length !== 1 ? [] : [after]),
    ])
}

/** A turn with calls does not finish with stop, and a turn without calls does not finish with tool calls. */
function fitting(parts: readonly Part[], finish: Finish): Finish {
  const calls = parts.some((part) => part.type === 'tool-call' && part.by === 'client')
  if (calls && (finish.reason === 'stop' || finish.reason === 'stop-sequence')) return { reason: 'tool-calls' }
  if (!calls && finish.reason === 'tool-calls') return { reason: 'stop' }
  return finish
}

function finish(world: World): Arbitrary<Finish> {
  const reason = fc.constantFrom<FinishReason>(
    'stop',
    'length',
    'tool-calls',
    'content-filter',
    'refusal',
    'pause',
    'error',
    'other',
  )
  const plain = record<Finish>({ reason }, { raw: never, sequence: never, message: writing() })
  const sequence = record<Finish>(
    { reason: fc.constant('stop-sequence') },
    { raw: never, sequence: writing(), message: never },
  )
  const ownWord = word().map((value): Finish => ({
    reason: 'other',
    raw: { protocol: world.protocol, value: `x_${value}` },
  }))
  const foreignWord = word().map((value): Finish => ({
    reason: 'content-filter',
    raw: { protocol: FOREIGN.protocol, value },
  }))
  return fc.oneof({ weight: 6, arbitrary: plain }, sequence, ownWord, foreignWord)
}

/** Counts that include their details, as in the IR. */
export function usage(world: World): Arbitrary<Usage> {
  const modalities = record<NonNullable<Usage['modalities']>>(
    {},
    { input: counts(), output: counts(), cached: counts() },
  )
  return record<Usage>(
    {},
    {
      input: count(),
      output: count(),
      cacheRead: count(),
      cacheWrite5m: count(),
      cacheWrite1h: count(),
      reasoning: count(),
      toolPrompt: count(),
      searches: fc.nat({ max: 5 }),
      fetches: fc.nat({ max: 5 }),
      modalities: modalities.filter((members) => Object.keys(members).length > 0),
      estimated: fc.constant(true),
      clamped: fc.constant(true),
      extras: extras(world),
    },
  )
    .map(consistent)
    .chain((usual) =>
      fc.oneof(
        { weight: 9, arbitrary: fc.constant(usual) },
        { weight: 1, arbitrary: fc.constant({ ...usual, input: MOST, output: MOST }) },
      ),
    )
}

/** The most that a count of the IR can be. */
const MOST = 1_000_000_000

function counts() {
  return fc.dictionary(fc.constantFrom('TEXT', 'IMAGE', 'AUDIO'), count(), {
    minKeys: 1,
    maxKeys: 2,
    noNullPrototype: true,
  })
}

function consistent(usage: Usage): Usage {
  const cached = (usage.cacheRead ?? 0) + (usage.cacheWrite5m ?? 0) + (usage.cacheWrite1h ?? 0)
  const input = cached === 0 ? usage.input : (usage.input ?? 0) + cached
  const output = usage.reasoning === undefined ? usage.output : (usage.output ?? 0) + usage.reasoning
  return withoutAbsent({ ...usage, input: input ?? 7, output: output ?? 5 })
}

function logprobs(world: World): Arbitrary<Logprobs> {
  return record<Logprobs>(
    { tokens: fc.array(logprob(world, 1), { minLength: 1, maxLength: 3 }) },
    { average: number(-10, 0) },
  )
}

function logprob(world: World, depth: number): Arbitrary<Logprob> {
  return record<Logprob>(
    { token: writing(), logprob: number(-100, 0) },
    {
      bytes: fc.array(fc.nat({ max: 255 }), { minLength: 1, maxLength: 3 }),
      top: depth === 0 ? never : fc.array(logprob(world, depth - 1), { minLength: 1, maxLength: 2 }),
      extras: extras(world),
    },
  )
}
