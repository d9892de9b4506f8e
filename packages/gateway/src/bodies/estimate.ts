import type { Json, JsonObject, Media, Message, Part, ModelRequest, Usage } from '@dragoman/core'

/** Tokens of a turn beside its text. */
export const PER_MESSAGE = 4
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

/**
 * A rougher estimate that is made for every call, from the JSON of its body: all names and texts, and media by size. It is used if the
 * upstream reports no usage, which is known only when the request is gone.
 */
export function estimateBody(body: JsonObject): number {
  let characters = 0
  let media = 0
  // Without recursion: deep nesting is refused by other code.
  const rest: (Json | undefined)[] = [body]
  while (rest.length > 0) {
    const node = rest.pop()
    if (typeof node === 'string') {
      if (node.length >= MEDIA_LENGTH && MEDIA.test(node)) media += encodedTokens(node)
      else characters += node.length
    } else if (Array.isArray(node)) {
      for (const item of node as readonly Json[]) rest.push(item)
    } else if (typeof node === 'object' && node !== null) {
      for (const key in node as JsonObject) {
        characters += key.length
        rest.push((node as JsonObject)[key])
      }
    }
  }
  return charactersTokens(characters) + media
}

/** Base64 has no spaces. */
const MEDIA_LENGTH = 512
const MEDIA = /^(?:data:[^,]{0,200},)?[A-Za-z0-9+/_=-]{256}/
/** How images begin in base64: JPEG, PNG, GIF, and the container of WebP; and PDF. */
const IMAGE = /^(?:\/9j\/|iVBORw|R0lGOD|UklGR.{8}XRUJQ)/
const DOCUMENT = /^JVBERi/

function encodedTokens(text: string): number {
  const start = text.startsWith('data:') ? text.indexOf(',') + 1 : 0
  const beginning = text.slice(start, start + 32)
  if (IMAGE.test(beginning)) return PER_IMAGE
  const kind = DOCUMENT.test(beginning) ? 'document' : 'audio'
  return Math.ceil(((text.length - start) * 0.75) / BYTES_PER_TOKEN[kind])
}

/** Estimates the tokens of the parts of an answer. */
export function partsTokens(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + partTokens(part), 0)
}

/** The tokens of a text by its length. */
function charactersTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
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

function mediaTokens({ kind, source }: Media): number {
  if (source.kind === 'text') return textTokens(source.text)
  if (source.kind === 'parts') return partsTokens(source.parts)
  if (kind === 'image') return PER_IMAGE
  if (source.kind !== 'base64') return PER_ADDRESS
  return Math.ceil((source.data.length * 0.75) / BYTES_PER_TOKEN[kind])
}

export function textTokens(text: string): number {
  return charactersTokens(text.length)
}
