import type { Candidate, Finish, Part, ModelRequest, ModelResponse } from '@dragoman/core'
import { readAsk, type Ask } from './ask.ts'
import { bound } from './bound.ts'
import { redact, refuseForeignSeals, seal, think, wantsReasoning } from './reasoning.ts'
import { sample } from './sample.ts'
import { CITED, searchParts } from './search.ts'
import { chooseCalls } from './tools.ts'
import { countUsage } from './usage.ts'
import { answerWords, refusalWords, subjectsOf } from './words.ts'

/** The whole simulated model: a function of the request and of whose seals it gives. Throws what it refuses. */
export function answer(request: ModelRequest, issuer: string): ModelResponse {
  refuseForeignSeals(request.messages, issuer)
  const ask = readAsk(request)
  if (ask.magic.block) return { model: request.model, candidates: [], blocked: BLOCKED, usage: countUsage(request, []) }
  const said = say(request, ask, issuer)
  const thought = wantsReasoning(request) ? [think(request, ask, said.parts.filter(isCall).length)] : []
  const thoughts = ask.magic.redact ? thought.map(redact) : thought
  const { parts, finish } = bound([...thoughts, ...said.parts], said.finish, request.settings)
  const sealed = parts.map((part) => seal(part, issuer))
  return {
    model: request.model,
    candidates: [{ parts: sealed.filter((part) => isShown(part, request)), finish, ...groundingOf(ask) }],
    usage: countUsage(request, sealed),
  }
}

interface Said {
  readonly parts: readonly Part[]
  readonly finish: Finish
}

const REFUSED: Said = { parts: [{ type: 'refusal', text: refusalWords() }], finish: { reason: 'refusal' } }
const BLOCKED = { reason: 'PROHIBITED_CONTENT', message: 'The simulator was asked to block this.' }

function say(request: ModelRequest, ask: Ask, issuer: string): Said {
  const { magic } = ask
  if (magic.refuse) return REFUSED
  const calls = chooseCalls(request, ask)
  if (calls.length > 0) return { parts: calls, finish: { reason: 'tool-calls' } }
  const text = compose(request, ask)
  const finish: Finish = { reason: magic.pause ? 'pause' : 'stop' }
  if (magic.search !== undefined)
    return { parts: searchParts(ask.text, text, issuer, magic.search === 'failed'), finish }
  return { parts: [{ type: 'text', text, ...(magic.cite ? { citations: [CITED] } : {}) }], finish }
}

function groundingOf({ magic, text }: Ask): Pick<Candidate, 'grounding'> {
  return magic.search === 'found' ? { grounding: { webSearchQueries: [text] } } : {}
}

/** Words, or JSON where that is asked for. */
function compose({ model, output }: ModelRequest, ask: Ask): string {
  const words = answerWords(model, ask)
  if (output?.format === undefined || output.format === 'text') return words
  if (output.schema === undefined) return JSON.stringify({ answer: words })
  const value = sample(output.schema.value, subjectsOf(ask.text))
  return output.format === 'enum' && typeof value === 'string' ? value : JSON.stringify(value)
}

function isCall(part: Part): boolean {
  return part.type === 'tool-call' && part.by === 'client'
}

function isShown(part: Part, { delivery }: ModelRequest): boolean {
  return part.type !== 'reasoning' || delivery.hideReasoning !== true
}
