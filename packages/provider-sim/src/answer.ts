import type { Candidate, Finish, Part, ModelRequest, ModelResponse } from '@dragoman/core'
import { readPrompt, type Prompt } from './prompt.ts'
import { bound } from './bound.ts'
import { redact, refuseForeignSeals, seal, writeReasoning, wantsReasoning } from './reasoning.ts'
import { sample } from './sample.ts'
import { CITED, searchParts } from './search.ts'
import { chooseCalls } from './tools.ts'
import { countUsage } from './usage.ts'
import { answerText, refusalText, subjectsOf } from './text.ts'

/** The simulated model: a function of the request and of the issuer of its seals. Throws an error to refuse a request. */
export function answer(request: ModelRequest, issuer: string): ModelResponse {
  refuseForeignSeals(request.messages, issuer)
  const prompt = readPrompt(request)
  if (prompt.magic.block)
    return { model: request.model, candidates: [], blocked: BLOCKED, usage: countUsage(request, []) }
  const reply = respond(request, prompt, issuer)
  const reasoning = wantsReasoning(request) ? [writeReasoning(request, prompt, reply.parts.filter(isCall).length)] : []
  const shownReasoning = prompt.magic.redact ? reasoning.map(redact) : reasoning
  const { parts, finish } = bound([...shownReasoning, ...reply.parts], reply.finish, request.settings)
  const sealed = parts.map((part) => seal(part, issuer))
  return {
    model: request.model,
    candidates: [{ parts: sealed.filter((part) => isShown(part, request)), finish, ...groundingOf(prompt) }],
    usage: countUsage(request, sealed),
  }
}

interface Reply {
  readonly parts: readonly Part[]
  readonly finish: Finish
}

const REFUSED: Reply = { parts: [{ type: 'refusal', text: refusalText() }], finish: { reason: 'refusal' } }
const BLOCKED = { reason: 'PROHIBITED_CONTENT', message: 'The simulator was asked to block this.' }

function respond(request: ModelRequest, prompt: Prompt, issuer: string): Reply {
  const { magic } = prompt
  if (magic.refuse) return REFUSED
  const calls = chooseCalls(request, prompt)
  if (calls.length > 0) return { parts: calls, finish: { reason: 'tool-calls' } }
  const text = compose(request, prompt)
  const finish: Finish = { reason: magic.pause ? 'pause' : 'stop' }
  if (magic.search !== undefined)
    return { parts: searchParts(prompt.text, text, issuer, magic.search === 'failed'), finish }
  return { parts: [{ type: 'text', text, ...(magic.cite ? { citations: [CITED] } : {}) }], finish }
}

function groundingOf({ magic, text }: Prompt): Pick<Candidate, 'grounding'> {
  return magic.search === 'found' ? { grounding: { webSearchQueries: [text] } } : {}
}

/** Text, or JSON if the request asks for it. */
function compose({ model, output }: ModelRequest, prompt: Prompt): string {
  const text = answerText(model, prompt)
  if (output?.format === undefined || output.format === 'text') return text
  if (output.schema === undefined) return JSON.stringify({ answer: text })
  const value = sample(output.schema.value, subjectsOf(prompt.text))
  return output.format === 'enum' && typeof value === 'string' ? value : JSON.stringify(value)
}

function isCall(part: Part): boolean {
  return part.type === 'tool-call' && part.by === 'client'
}

function isShown(part: Part, { delivery }: ModelRequest): boolean {
  return part.type !== 'reasoning' || delivery.hideReasoning !== true
}
