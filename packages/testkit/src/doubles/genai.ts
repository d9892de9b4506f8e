import { acceptGenaiRequest } from './genai-request.ts'
import { isWire, list, object, refuse } from './refuse.ts'
import { DEFAULT_USAGE, sealHidden, sign, tokensOf, type Answer, type AnswerPart, type Script } from './script.ts'
import { createDouble, UnknownKeyError, type Double, type Received } from './server.ts'

const BASES = ['', '/v1', '/v1beta', '/v1/publishers/google', '/v1beta1/publishers/google']
const ACTIONS = ['generateContent', 'streamGenerateContent', 'countTokens']
/** What clients send for a signature that they have lost. */
const PLACEHOLDER = 'skip_thought_signature_validator'

/** A genai upstream that has one model: as strict as the newest one, which wants its signatures back on calls. */
export function createGenaiDouble(script: Script, model = 'gemini-double'): Promise<Double> {
  return createDouble(
    {
      paths: BASES.flatMap((base) => ACTIONS.map((action) => `${base}/models/${model}:${action}`)),
      accept,
      answer(call, answer) {
        if (call.path.endsWith(':countTokens')) return { totalTokens: JSON.stringify(call.body).length }
        return call.path.endsWith(':streamGenerateContent') ? framesOf(answer, model) : bodyOf(answer, model)
      },
      error: (type, message) => ({ error: { ...(STATUS_OF[type] ?? STATUS_OF['api_error']), message } }),
      ping: ': keep-alive\n\n',
    },
    script,
  )
}

const STATUS_OF: { readonly [type: string]: object } = {
  invalid_request_error: { code: 400, status: 'INVALID_ARGUMENT' },
  authentication_error: { code: 401, status: 'UNAUTHENTICATED' },
  not_found_error: { code: 404, status: 'NOT_FOUND' },
  rate_limit_error: { code: 429, status: 'RESOURCE_EXHAUSTED' },
  overloaded_error: { code: 503, status: 'UNAVAILABLE' },
  api_error: { code: 500, status: 'INTERNAL' },
}

function accept({ path, headers, body }: Received): void {
  if (headers['x-goog-api-key'] === undefined && headers['authorization'] === undefined) {
    throw new UnknownKeyError('Method doesn’t allow unregistered callers.')
  }
  acceptGenaiRequest(body, {
    signed: () => false,
    issued: (signature) => signature === PLACEHOLDER || isOwn(signature),
  })
  if (!path.endsWith(':countTokens')) acceptSigned(body)
}

/** The first call of every turn of the model is signed. */
function acceptSigned(body: Received['body']): void {
  for (const [index, content] of list(body['contents'], 'contents').entries()) {
    const parts = list(object(content, 'contents')['parts'], 'parts').filter(isWire)
    const first = parts.find((part) => part['functionCall'] !== undefined)
    if (first !== undefined && first['thoughtSignature'] === undefined) {
      refuse(`contents.${index}`, 'Function call is missing a thought_signature in functionCall parts.')
    }
  }
}

/** Bytes, as the real one: base64 of a seal that only fits what it was made for. */
function seal(text: string): string {
  return Buffer.from(sign(text)).toString('base64')
}

function isOwn(signature: string): boolean {
  return /^double-(signature|hidden)-/.test(Buffer.from(signature, 'base64').toString('utf8'))
}

function bodyOf(answer: Answer, model: string): object {
  const content = { role: 'model', parts: answer.parts.map(partOf) }
  return { candidates: [{ content, finishReason: answer.stop ?? 'STOP', index: 0 }], ...headOf(answer, model) }
}

/** Every chunk counts what there is so far; the last one says why it ended. */
function framesOf(answer: Answer, model: string): string[] {
  const { usageMetadata, ...head } = headOf(answer, model)
  const begun = { promptTokenCount: usageMetadata.promptTokenCount, totalTokenCount: usageMetadata.promptTokenCount }
  const chunk = (candidate: object, usage: object) =>
    frame({ candidates: [{ ...candidate, index: 0 }], usageMetadata: usage, ...head })
  return [
    ...answer.parts.flatMap(piecesOf).map((part) => chunk({ content: { role: 'model', parts: [part] } }, begun)),
    chunk({ content: { role: 'model', parts: [{ text: '' }] }, finishReason: answer.stop ?? 'STOP' }, usageMetadata),
  ]
}

function headOf({ usage = DEFAULT_USAGE }: Answer, model: string) {
  const { input, output, cacheRead, reasoning } = usage
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output - (reasoning ?? 0),
    totalTokenCount: input + output,
    ...(cacheRead === undefined ? {} : { cachedContentTokenCount: cacheRead }),
    ...(reasoning === undefined ? {} : { thoughtsTokenCount: reasoning }),
  }
  return { usageMetadata, modelVersion: model, createTime: '2026-01-02T03:04:05.678901Z', responseId: 'double' }
}

function partOf(part: AnswerPart): object {
  if ('text' in part) return { text: part.text }
  if ('call' in part)
    return { functionCall: { id: part.id, name: part.call, args: part.input }, thoughtSignature: seal(part.call) }
  if (part.hidden)
    return { text: '', thought: true, thoughtSignature: Buffer.from(sealHidden(part.reasoning)).toString('base64') }
  return { text: part.reasoning, thought: true }
}

/** Text and thoughts in pieces, calls whole. */
function piecesOf(part: AnswerPart): object[] {
  if ('text' in part) return tokensOf(part.text).map((text) => ({ text }))
  if ('reasoning' in part && part.hidden === undefined)
    return tokensOf(part.reasoning).map((text) => ({ text, thought: true }))
  return [partOf(part)]
}

function frame(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\r\n\r\n`
}
