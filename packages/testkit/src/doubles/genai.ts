import { camelMembers } from './camel-members.ts'
import { acceptGenaiRequest } from './genai-request.ts'
import { isWire, list, object, refuse } from './refuse.ts'
import { createSeals, DEFAULT_USAGE, tokensOf, type Answer, type AnswerPart, type Script } from './script.ts'
import { createDouble, UnknownKeyError, type Double, type Received } from './server.ts'

const SEALS = createSeals('genai')
const BASES = ['', '/v1', '/v1beta', '/v1/publishers/google', '/v1beta1/publishers/google']
const ACTIONS = ['generateContent', 'streamGenerateContent', 'countTokens']
/** What clients send for a signature that they have lost: Google's placeholder, or a signature that LangChain.js contains. */
const PLACEHOLDER = /^(skip_thought_signature_validator$|ErYCCrMCAdHtim9kOoOkrPi)/

/** A genai upstream with one model. It is as strict as the newest one, which requires its signatures on calls. */
export function createGenaiDouble(script: Script, model = 'gemini-double'): Promise<Double> {
  return createDouble(
    {
      paths: BASES.flatMap((base) => ACTIONS.map((action) => `${base}/models/${model}:${action}`)),
      accept,
      answer(call, answer) {
        if (call.path.endsWith(':countTokens')) return { totalTokens: JSON.stringify(call.body).length }
        return call.path.endsWith(':streamGenerateContent')
          ? framesOf(call, answer, model)
          : bodyOf(call, answer, model)
      },
      error: (code, { type, message }) => ({ error: { code, message, status: STATUS_OF[type] ?? type } }),
      errorFrame: frame,
      ping: ': keep-alive\n\n',
      seal,
      hide,
    },
    script,
  )
}

/** The error types that all doubles have in common. */
const STATUS_OF: { readonly [type: string]: string } = {
  invalid_request_error: 'INVALID_ARGUMENT',
  authentication_error: 'UNAUTHENTICATED',
  not_found_error: 'NOT_FOUND',
  rate_limit_error: 'RESOURCE_EXHAUSTED',
  overloaded_error: 'UNAVAILABLE',
  api_error: 'INTERNAL',
}

function accept({ path, headers, body: given }: Received): void {
  const body = camelMembers(given)
  if (headers['x-goog-api-key'] === undefined && headers['authorization'] === undefined) {
    throw new UnknownKeyError('Method doesn’t allow unregistered callers.')
  }
  acceptGenaiRequest(withoutEchoes(body), {
    signed: () => false,
    issued: (signature) => isPlaceholder(signature) || isOwn(signature),
  })
  if (!path.endsWith(':countTokens')) acceptSigned(body)
}

/** The last chunk of a stream has an empty text, and the official SDK sends it back as the upstream's own. */
function withoutEchoes(body: Received['body']): Received['body'] {
  const isEcho = (content: unknown): boolean =>
    isWire(content) && content['role'] === 'model' && JSON.stringify(content['parts']) === '[{"text":""}]'
  const { contents } = body
  return Array.isArray(contents) ? { ...body, contents: contents.filter((content) => !isEcho(content)) } : body
}

/** The first call of every turn of the model is signed, and each signature belongs to its call. */
function acceptSigned(body: Received['body']): void {
  let isFirst = true
  for (const [index, item] of list(body['contents'], 'contents').entries()) {
    const content = object(item, 'contents')
    if (content['role'] === 'user') isFirst = true
    for (const { functionCall: call, thoughtSignature: given } of list(content['parts'], 'parts').filter(isWire)) {
      if (call === undefined) continue
      if (given === undefined && isFirst)
        refuse(`contents.${index}`, 'Function call is missing a thought_signature in functionCall parts.')
      if (given !== undefined && !isPlaceholder(given) && given !== seal(String(object(call, 'functionCall')['name'])))
        refuse(`contents.${index}`, 'Thought signature is not valid.')
      isFirst = false
    }
  }
}

/** Signatures are bytes, as in the real API: base64 of a seal that is valid only for its own text. */
function seal(text: string): string {
  return base64(SEALS.sign(text))
}

function hide(text: string): string {
  return base64(SEALS.hide(text))
}

function isPlaceholder(signature: unknown): boolean {
  return typeof signature === 'string' && PLACEHOLDER.test(signature)
}

function isOwn(signature: string): boolean {
  return /^genai-(signature|hidden)-/.test(Buffer.from(signature, 'base64').toString('utf8'))
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

function bodyOf(call: Received, answer: Answer, model: string): object {
  const content = { role: 'model', parts: answer.parts.map(partIn(answer)) }
  return { candidates: [{ content, finishReason: answer.stop ?? 'STOP', index: 0 }], ...headOf(call, answer, model) }
}

/** Every chunk has the counts so far. The last one has the finish reason. */
function framesOf(call: Received, answer: Answer, model: string): string[] {
  const { usageMetadata, ...head } = headOf(call, answer, model)
  const begun = { promptTokenCount: usageMetadata.promptTokenCount, totalTokenCount: usageMetadata.promptTokenCount }
  const chunk = (candidate: object, usage: object) =>
    frame({ candidates: [{ ...candidate, index: 0 }], usageMetadata: usage, ...head })
  return [
    ...answer.parts
      .flatMap((part) => piecesOf(part, partIn(answer)))
      .map((part) => chunk({ content: { role: 'model', parts: [part] } }, begun)),
    chunk({ content: { role: 'model', parts: [{ text: '' }] }, finishReason: answer.stop ?? 'STOP' }, usageMetadata),
  ]
}

function headOf({ number }: Received, { usage = DEFAULT_USAGE }: Answer, model: string) {
  const { input, output, cacheRead, reasoning } = usage
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output - (reasoning ?? 0),
    totalTokenCount: input + output,
    ...(cacheRead === undefined ? {} : { cachedContentTokenCount: cacheRead }),
    ...(reasoning === undefined ? {} : { thoughtsTokenCount: reasoning }),
  }
  return {
    usageMetadata,
    modelVersion: model,
    createTime: '2026-01-02T03:04:05.678901Z',
    responseId: `double-${number}`,
  }
}

/** The first call of a turn is signed for all of them. */
function partIn({ parts }: Answer): (part: AnswerPart) => object {
  const signed = parts.find((part) => 'call' in part)
  return (part) => {
    if ('text' in part) return { text: part.text }
    if ('call' in part) {
      const functionCall = { id: part.id, name: part.call, args: part.input }
      return part === signed ? { functionCall, thoughtSignature: seal(part.call) } : { functionCall }
    }
    if (part.hidden) return { text: '', thought: true, thoughtSignature: hide(part.reasoning) }
    return { text: part.reasoning, thought: true }
  }
}

/** Text and reasoning in pieces, calls whole. */
function piecesOf(part: AnswerPart, partOf: (part: AnswerPart) => object): object[] {
  if ('text' in part) return tokensOf(part.text).map((text) => ({ text }))
  if ('reasoning' in part && part.hidden === undefined)
    return tokensOf(part.reasoning).map((text) => ({ text, thought: true }))
  return [partOf(part)]
}

function frame(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\r\n\r\n`
}
