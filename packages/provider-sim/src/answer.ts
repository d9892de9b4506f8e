import type { Finish, Part, Request, Response } from '@dragoman/core'
import { readAsk, type Ask } from './ask.ts'
import { bound } from './bound.ts'
import { refuseForeignReasoning, seal, think, wantsReasoning } from './reasoning.ts'
import { sample } from './sample.ts'
import { chooseCalls } from './tools.ts'
import { countUsage } from './usage.ts'
import { answerWords, refusalWords, subjectsOf } from './words.ts'

/** The whole simulated model: a function of the request and of whose seals it gives. Throws what it refuses. */
export function answer(request: Request, issuer: string): Response {
  refuseForeignReasoning(request.messages, issuer)
  const ask = readAsk(request)
  const said = ask.magic.refuse ? REFUSED : say(request, ask)
  const thought = wantsReasoning(request) ? [think(request, ask, said.parts.filter(isCall).length)] : []
  const { parts, finish } = bound([...thought, ...said.parts], said.finish, request.settings)
  const sealed = parts.map((part) => seal(part, issuer))
  return {
    model: request.model,
    candidates: [{ parts: sealed.filter((part) => isShown(part, request)), finish }],
    usage: countUsage(request, sealed),
  }
}

interface Said {
  readonly parts: readonly Part[]
  readonly finish: Finish
}

const REFUSED: Said = { parts: [{ type: 'refusal', text: refusalWords() }], finish: { reason: 'refusal' } }

function say(request: Request, ask: Ask): Said {
  const calls = chooseCalls(request, ask)
  if (calls.length > 0) return { parts: calls, finish: { reason: 'tool-calls' } }
  return { parts: [{ type: 'text', text: compose(request, ask) }], finish: { reason: 'stop' } }
}

/** Words, or JSON where that is asked for. */
function compose({ model, output }: Request, ask: Ask): string {
  const words = answerWords(model, ask)
  if (output?.format === undefined || output.format === 'text') return words
  if (output.schema === undefined) return JSON.stringify({ answer: words })
  const value = sample(output.schema.value, subjectsOf(ask.text))
  return output.format === 'enum' && typeof value === 'string' ? value : JSON.stringify(value)
}

function isCall(part: Part): boolean {
  return part.type === 'tool-call'
}

function isShown(part: Part, { delivery }: Request): boolean {
  return part.type !== 'reasoning' || delivery.hideReasoning !== true
}
