import type { DragomanError } from '@dragoman/core'

/** What an upstream lacks: an endpoint as a whole, or an endpoint for this model. */
export type Absence = 'endpoint' | 'model'

/**
 * What an upstream lacks, as its refusal shows. Undefined if it does not show this: a 404 can also be about a model, a file or an item that
 * does not exist. Such a call was not processed, so it costs nothing to make it at another endpoint.
 */
export function absenceOf(status: number, error: DragomanError, body: string): Absence | undefined {
  if (!STATUSES.includes(status)) return undefined
  if (isServedElsewhere(error)) return 'model'
  if (status === 400 || error.param !== undefined) return undefined
  return !OF_MODELS.test(body) && (body.trim() === '' || OF_ENDPOINTS.test(body)) ? 'endpoint' : undefined
}

const STATUSES: readonly number[] = [200, 400, 404, 405, 501]

/** The codes of Azure and GitHub for a model that another endpoint serves. */
const CODES: readonly (string | undefined)[] = ['OperationNotSupported', 'unsupported_api_for_model']

/**
 * `This model is only supported in v1/responses and not in v1/chat/completions.`, `The requested model 'm' is not supported with the
 * Responses API.`
 */
const ELSEWHERE =
  /\bmodel\b.*\bnot (?:in v1\/|(?:supported|accessible|available|allowed) (?:in|with|via|on|by) (?:the )?[^.]*(?:\bAPI\b|\bendpoint\b|v1\/))/i

function isServedElsewhere({ code, param, message }: DragomanError): boolean {
  return CODES.includes(code) || ((param === undefined || param === 'model') && ELSEWHERE.test(message))
}

/** A refusal that names one of these is about it, not about the endpoint. */
const OF_MODELS = /\b(?:model|deployment)\b/i

/** How servers, frameworks and proxies say that a path does not exist, as text, JSON or HTML. */
const OF_ENDPOINTS = new RegExp(
  [
    // The phrase of the status alone, also as the title of a page: `{"detail":"Not Found"}`, `<title>405 Not Allowed</title>`
    String.raw`(?:^|["'>])\W*(?:\d{3}\W+)?(?:(?:file|page|resource|route|endpoint) )?(?:not found|(?:method )?not allowed|not implemented)\W*(?:$|["'<])`,
    String.raw`\b(?:url|path|page|route|endpoint)\b[^.]{0,200}\bnot found\b`,
    String.raw`\b(?:invalid|unknown|unrecognized|unsupported|unexpected) (?:request )?(?:url|path|endpoint|route)\b`,
    String.raw`\bno (?:such |matching )?(?:endpoint|path|page|route|handler)\b`,
    String.raw`\bcannot post /`,
  ].join('|'),
  'i',
)
