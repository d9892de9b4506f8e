import { DragomanError, type Message, type Part, type Reasoning, type ModelRequest } from '@dragoman/core'
import { currentLoop, type Prompt } from './prompt.ts'
import { digest } from './digest.ts'
import { isOwnHit } from './search.ts'

/** Base64 characters, with a length that is a multiple of four: SDKs that read signatures as bytes do not change them. */
const MARK = 'simseal0'

export function wantsReasoning({ reasoning }: ModelRequest): boolean {
  return reasoning !== undefined && reasoning.on !== false && reasoning.effort !== 'none'
}

/** Reasoning of the simulator. It says whether its earlier reasoning in the same tool loop was sent back. */
export function writeReasoning(request: ModelRequest, prompt: Prompt, calls: number): Reasoning {
  const task =
    prompt.results.length > 0
      ? `There are ${prompt.results.length} tool results to report.`
      : `The user said ${prompt.text.length} characters.`
  const plan = calls > 0 ? `I will make ${calls} tool calls.` : 'I will answer in words.'
  return { type: 'reasoning', text: `${task} ${recall(request.messages)}${plan}` }
}

/** Adds the signature of this issuer for this text. */
export function seal(part: Part, issuer: string): Part {
  if (part.type !== 'reasoning') return part
  return { ...part, seal: { issuer, value: signatureOf(part.text, issuer) } }
}

/** Reasoning that only its issuer can read. */
export function redact(part: Part): Part {
  return part.type === 'reasoning' ? { ...part, text: '', hidden: true } : part
}

/** Refuses sealed content that was changed or issued by others, as real upstreams do. */
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
  const returned = loop.some(({ parts }) => parts.some((part) => part.type === 'reasoning' && part.seal !== undefined))
  return returned ? 'My earlier thoughts came back sealed. ' : 'My earlier thoughts did not come back. '
}

function isOwn(part: Part, issuer: string): boolean {
  if (part.type === 'tool-result') return (part.output.parts ?? []).every((inner) => isOwnHit(inner, issuer))
  if (part.type !== 'reasoning' || part.seal === undefined) return true
  return part.seal.issuer === issuer && part.seal.value === signatureOf(part.text, issuer)
}

function signatureOf(text: string, issuer: string): string {
  return `${MARK}${digest(`${issuer}\n${text}`)}`
}
