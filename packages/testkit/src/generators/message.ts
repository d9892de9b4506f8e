import type { Message, Part, ToolCall, ToolResult } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { extras, word, writing } from './json.ts'
import {
  code,
  codeOutput,
  media,
  opaque,
  plainText,
  reasoning,
  refusal,
  searchHit,
  serverSearch,
  textPart,
  toolCall,
  toolResult,
} from './part.ts'
import { record } from './record.ts'
import type { World } from './world.ts'

interface Exchange {
  readonly ask: readonly Part[]
  readonly think: readonly Part[]
  readonly calls: readonly Called[]
  /** Calls without ids, with ids of their own, or with ids that some upstreams refuse and that every turn repeats. */
  readonly ids: 'none' | 'own' | 'odd'
  /** The position of the results in the turn that answers the calls. */
  readonly order: 'lead' | 'alone' | 'trail'
  /** Instructions between the calls and their results. */
  readonly between: readonly Message[]
}

interface Called {
  readonly call: ToolCall
  readonly result: ToolResult
  /** Content between this call and the next. */
  readonly after: readonly Part[]
}

/** A conversation of an agent: instructions, turns in order, every call answered in the next turn. */
export function conversation(world: World): Arbitrary<readonly Message[]> {
  return fc
    .record({
      instructions: fc.array(instruction(world), { maxLength: 2 }),
      opening: writing(),
      exchanges: fc.array(exchange(world), { minLength: 1, maxLength: 3 }),
      ending: fc.option(fc.array(textPart(world), { minLength: 1, maxLength: 2 }), { freq: 1 }),
      late: fc.option(instruction(world), { freq: 1 }),
      dress: fc.array(dress(world), { minLength: 24, maxLength: 24 }),
    })
    .map(({ instructions, opening, exchanges, ending, late, dress }) => {
      const turns = turnsOf(opening, exchanges, ending ?? [])
      const messages = [...instructions, ...turns, ...(late === null || turns.length % 4 !== 0 ? [] : [late])]
      return messages.map((message, index) => ({ ...message, ...dress[index % dress.length] }))
    })
}

/** Content of the model before, between and after its calls. */
export function contentPart(world: World): Arbitrary<Part> {
  return fc.oneof(
    { weight: 6, arbitrary: textPart(world) },
    { weight: 5, arbitrary: reasoning(world) },
    { weight: 1, arbitrary: refusal(world) },
    { weight: 1, arbitrary: media(world) },
    { weight: 1, arbitrary: code(world) },
    { weight: 1, arbitrary: codeOutput(world) },
    { weight: 1, arbitrary: opaque(world) },
  )
}

function asked(world: World): Arbitrary<Part> {
  return fc.oneof(
    { weight: 8, arbitrary: plainText(world) },
    { weight: 3, arbitrary: media(world) },
    { weight: 1, arbitrary: searchHit(world) },
    { weight: 1, arbitrary: opaque(world) },
  )
}

function instruction(world: World): Arbitrary<Message> {
  return fc.record({
    role: fc.constantFrom('system', 'system', 'developer'),
    parts: fc.array(plainText(world), { maxLength: 2 }),
  })
}

/** The members of a turn, without its role and parts. */
function dress(world: World): Arbitrary<Omit<Message, 'role' | 'parts'>> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: record<Omit<Message, 'role' | 'parts'>>({}, { name: word(), extras: extras(world) }) },
  )
}

function exchange(world: World): Arbitrary<Exchange> {
  const search = fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: serverSearch(world) })
  return record<Exchange>(
    {
      ask: fc.array(asked(world), { maxLength: 3 }),
      think: fc
        .tuple(fc.array(contentPart(world), { maxLength: 3 }), search)
        .map(([parts, found]) => [...parts, ...found]),
      calls: fc.array(called(world), { maxLength: 3 }),
      ids: fc.constantFrom('own', 'own', 'own', 'none', 'odd'),
      order: fc.constantFrom('lead', 'lead', 'lead', 'alone', 'trail'),
      between: fc.oneof(
        { weight: 6, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(instruction(world), { maxLength: 2 }) },
      ),
    },
    {},
  )
}

function called(world: World): Arbitrary<Called> {
  const after = fc.oneof(
    { weight: 5, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(contentPart(world), { maxLength: 1 }) },
  )
  return record<Called>({ call: toolCall(world), result: toolResult(world), after }, {})
}

/** The first turn has content: a conversation of only empty texts is not valid. */
function turnsOf(opening: string, exchanges: readonly Exchange[], ending: readonly Part[]): Message[] {
  const turns: Message[] = []
  let results: readonly Part[] = [{ type: 'text', text: opening }]
  let order: Exchange['order'] = 'lead'
  let between: Exchange['between'] = []
  for (const [turn, exchange] of exchanges.entries()) {
    turns.push(...between, ...answerTurns(results, exchange.ask, order))
    const calls = exchange.calls.map((one, index) =>
      paired(one, { none: undefined, own: `call_${turn}_${index}`, odd: `functions.look:${index}` }[exchange.ids]),
    )
    turns.push({
      role: 'assistant',
      parts: [...exchange.think, ...calls.flatMap(({ call, after }) => [call, ...after])],
    })
    results = calls.map(({ result }) => result)
    order = exchange.order
    between = exchange.between
  }
  if (results.length > 0) turns.push(...between, { role: 'user', parts: results })
  if (ending.length > 0 && results.length > 0) turns.push({ role: 'assistant', parts: ending })
  return turns
}

function answerTurns(results: readonly Part[], ask: readonly Part[], order: Exchange['order']): Message[] {
  if (results.length > 0 && order === 'alone')
    return [
      { role: 'user', parts: results },
      { role: 'user', parts: ask },
    ]
  return [{ role: 'user', parts: order === 'trail' ? [...ask, ...results] : [...results, ...ask] }]
}

function paired({ call, result, after }: Called, id: string | undefined): Called {
  if (id === undefined) return { call, result: { ...result, name: call.name }, after }
  return { call: { ...call, id }, result: { ...result, callId: id }, after }
}
