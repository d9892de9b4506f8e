import type { Media, Message, Part, ModelRequest, Usage } from '@dragoman/core'
import { mediaTokens } from './media-tokens.ts'
import { textTokens } from './text-tokens.ts'

/** Tokens of a turn beside its text. */
export const PER_MESSAGE = 4
/** Characters per token of output of which only the length is known. */
const CHARACTERS_PER_TOKEN = 4

/**
 * Estimates the tokens of a request, for upstreams that do not count: its texts with instructions, tools, calls and results, and media by
 * its size. Answers must mark it as an estimate.
 */
export function estimateTokens(request: ModelRequest): number {
  const messages = request.messages.reduce((sum, message) => sum + messageTokens(message), 0)
  const tools = request.tools === undefined ? 0 : textTokens(JSON.stringify(request.tools))
  const output = request.output?.schema === undefined ? 0 : textTokens(JSON.stringify(request.output.schema.value))
  return messages + tools + output
}

/** Estimates the tokens of the parts of an answer. */
export function partsTokens(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + partTokens(part), 0)
}

/** The tokens of a text of which only the length is known. */
function charactersTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}

/** The tokens of an answer of which only some bytes have arrived. */
export function sizeTokens(bytes: number): number {
  return charactersTokens(bytes)
}

/**
 * Estimates the tokens of a stream that its usage does not include, from the characters since the last report. The final report of a
 * complete stream includes everything.
 */
export function uncountedTokens(
  usage: Usage | undefined,
  isComplete: boolean,
  characters: number | undefined,
): number | undefined {
  if (characters === undefined) return undefined
  return isComplete && usage?.output !== undefined ? 0 : charactersTokens(characters)
}

/** Adds estimates to a usage where the upstream has reported no counts, and marks it. Reported counts stay. */
export function fillUsage(usage: Usage | undefined, prompt: number | undefined, uncounted: number): Usage | undefined {
  const input = usage?.input ?? prompt
  const output = usage?.output === undefined ? uncounted : usage.output + uncounted
  if (input === usage?.input && output === usage?.output) return usage
  return { ...usage, ...(input === undefined ? {} : { input }), output, estimated: true }
}

function messageTokens({ parts }: Message): number {
  return parts.reduce((sum, part) => sum + partTokens(part), PER_MESSAGE)
}

function partTokens(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'refusal':
    case 'reasoning':
    case 'code':
    case 'code-output':
      return textTokens(part.text)
    case 'media':
      return sourceTokens(part)
    case 'tool-call':
      return (
        textTokens(part.name) +
        textTokens(typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments))
      )
    case 'tool-result': {
      const json = 'json' in part.output ? textTokens(JSON.stringify(part.output.json)) : 0
      return json + partsTokens(part.output.parts ?? [])
    }
    case 'search-hit':
      return textTokens(`${part.title ?? ''}${part.url ?? ''}`) + partsTokens(part.parts ?? [])
    case 'opaque':
      return textTokens(JSON.stringify(part.value))
    default:
      return part satisfies never
  }
}

function sourceTokens({ kind, source, detail }: Media): number {
  if (source.kind === 'text') return textTokens(source.text)
  if (source.kind === 'parts') return partsTokens(source.parts)
  if (source.kind !== 'base64')
    return (mediaTokens({ kind, detail }) ?? 0) + textTokens(source.kind === 'url' ? source.url : source.id)
  const { mime, data } = source
  return mediaTokens({ kind, detail, data: { mime, data } }) ?? textTokens(data)
}
