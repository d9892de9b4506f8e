import type { Message, ModelRequest, Part } from '@dragoman/core'
import { estimateTokens } from './estimate.ts'
import { hashText } from './hash-text.ts'

/** What the choice of a route needs to know about a request. Plain data, because it crosses threads. */
export interface Survey {
  /** Estimated tokens of the prompt. */
  readonly promptTokens: number
  /** The caller's own limit of the answer. */
  readonly maxTokens?: number | undefined
  readonly hasTools: boolean
  readonly hasImages: boolean
  /** Whether the request begins a conversation: it has no turn of the model. */
  readonly begins: boolean
  /** A hash of the instructions and the first turn of the user, which stay the same throughout a conversation. */
  readonly opening: string
  /** In a tool loop, the issuer of the seals that the next call must be able to read. */
  readonly sealedBy?: string | undefined
}

export function surveyRequest(request: ModelRequest): Survey {
  const { messages, tools = [], settings } = request
  return {
    promptTokens: estimateTokens(request),
    maxTokens: settings.maxTokens,
    hasTools: tools.length > 0,
    hasImages: messages.some(({ parts }) => parts.some(isImage)),
    begins: !messages.some(({ role }) => role === 'assistant'),
    opening: openingOf(messages),
    sealedBy: sealOfLoop(messages),
  }
}

function isImage(part: Part): boolean {
  if (part.type === 'tool-result') return part.output.parts?.some(isImage) ?? false
  return part.type === 'media' && part.kind === 'image'
}

/** Instructions in the middle of a conversation come and go, so only those at its beginning count. */
function openingOf(messages: readonly Message[]): string {
  const first = messages.findIndex(({ role }) => role === 'user')
  const opening = messages.slice(0, first + 1)
  return hashText(JSON.stringify(opening.map(({ role, parts }) => [role, parts.map(contentOf)])))
}

/** Without cache marks, which clients move as the conversation grows. */
function contentOf({ cache: _, ...part }: Part): object {
  return part
}

/** A tool loop is open if the last turn of the user answers calls. Its seals are those of the model's turn before. */
function sealOfLoop(messages: readonly Message[]): string | undefined {
  if (messages.at(-1)?.parts.some(({ type }) => type === 'tool-result') !== true) return undefined
  const turn = messages.findLast(({ role }) => role === 'assistant')
  return turn?.parts.find(({ seal }) => seal !== undefined)?.seal?.issuer
}
