import type { Media, Message, Part, ModelRequest } from '@dragoman/core'

/** Tokens of a turn beside its text. */
const PER_MESSAGE = 4
const CHARACTERS_PER_TOKEN = 4
/** A rough number of bytes per token: for seconds of audio and video, and pages of documents. */
const BYTES_PER_TOKEN = { audio: 500, video: 2000, document: 33 } as const
const PER_IMAGE = 1000
/** For media by URL, whose size is unknown. */
const PER_ADDRESS = 1500

/**
 * Estimates the tokens of a request, for upstreams that do not count: four characters a token, with instructions, tools, calls
 * and results, and media by its size. Responses must mark it as an estimate.
 */
export function estimateTokens(request: ModelRequest): number {
  const messages = request.messages.reduce((sum, message) => sum + messageTokens(message), 0)
  const tools = request.tools === undefined ? 0 : textTokens(JSON.stringify(request.tools))
  const output = request.output?.schema === undefined ? 0 : textTokens(JSON.stringify(request.output.schema.value))
  return messages + tools + output
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
      return mediaTokens(part)
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

function partsTokens(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + partTokens(part), 0)
}

function mediaTokens({ kind, source }: Media): number {
  if (source.kind === 'text') return textTokens(source.text)
  if (source.kind === 'parts') return partsTokens(source.parts)
  if (kind === 'image') return PER_IMAGE
  if (source.kind !== 'base64') return PER_ADDRESS
  return Math.ceil((source.data.length * 0.75) / BYTES_PER_TOKEN[kind])
}

function textTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}
