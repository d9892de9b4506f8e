import { DragomanError, type Message, type Part, type Reasoning, type ModelRequest } from '@dragoman/core'
import { currentLoop, type Ask } from './ask.ts'
import { digest } from './digest.ts'
import { isOwnHit } from './search.ts'

/** Letters and digits of base64, a multiple of four long: SDKs that take signatures for bytes do not change it. */
const MARK = 'simseal0'

export function wantsReasoning({ reasoning }: ModelRequest): boolean {
  return reasoning !== undefined && reasoning.on !== false && reasoning.effort !== 'none'
}

/** What the simulator thinks. Says whether its earlier thoughts of the same tool loop came back. */
export function think(request: ModelRequest, ask: Ask, calls: number): Reasoning {
  const task =
    ask.results.length > 0
      ? `There are ${ask.results.length} tool results to report.`
      : `The user said ${ask.text.length} characters.`
  const plan = calls > 0 ? `I will make ${calls} tool calls.` : 'I will answer in words.'
  return { type: 'reasoning', text: `${task} ${recall(request.messages)}${plan}` }
}

/** The part with the signature that only this issuer gives this text. */
export function seal(part: Part, issuer: string): Part {
  if (part.type !== 'reasoning') return part
  return { ...part, seal: { issuer, value: signatureOf(part.text, issuer) } }
}

/** A thought that only its issuer can read. */
export function redact(part: Part): Part {
  return part.type === 'reasoning' ? { ...part, text: '', hidden: true } : part
}

/** As real upstreams do: what was sealed is taken back only as it was given. */
export function refuseForeignSeals(messages: readonly Message[], issuer: string): void {
  for (const [index, message] of messages.entries()) {
    for (const part of message.parts) {
      if (isOwn(part, issuer)) continue
      throw new DragomanError(
        'invalid-request',
        `messages.${index}: this ${part.type} has a signature that was not issued here.`,
        {
          param: `messages.${index}`,
        },
      )
    }
  }
}

function recall(messages: readonly Message[]): string {
  const loop = currentLoop(messages)
  if (!loop.some(({ role }) => role === 'assistant')) return ''
  const came = loop.some(({ parts }) => parts.some((part) => part.type === 'reasoning' && part.seal !== undefined))
  return came ? 'My earlier thoughts came back sealed. ' : 'My earlier thoughts did not come back. '
}

function isOwn(part: Part, issuer: string): boolean {
  if (part.type === 'tool-result') return (part.output.parts ?? []).every((inner) => isOwnHit(inner, issuer))
  if (part.type !== 'reasoning' || part.seal === undefined) return true
  return part.seal.issuer === issuer && part.seal.value === signatureOf(part.text, issuer)
}

function signatureOf(text: string, issuer: string): string {
  return `${MARK}${digest(`${issuer}\n${text}`)}`
}
