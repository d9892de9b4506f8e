import { isObject, listOf, numberOf, stringOf, type Json, type JsonObject } from '../lib/json.ts'
import type { Limits } from './protocol.ts'

/** What routing needs, in protocols that say it in the body. */
export function peekBody(body: JsonObject): { readonly model: string; readonly stream: boolean } {
  return { model: stringOf(body['model']), stream: body['stream'] === true }
}

/** Why a body cannot go out as it is: it asks for too much, or its history holds seals of another domain. */
export function whyNotRelayed(
  body: JsonObject,
  most: string,
  limits: Limits,
  isSealed: (message: JsonObject) => boolean,
): string | undefined {
  const asked = numberOf(body[most])
  if (asked !== undefined && asked > (limits.maxTokens ?? asked)) return `${most} is above the limit of the model`
  const messages = listOf(body['messages'] as readonly Json[] | undefined) // checked at the edge
  const sealed = messages.some((message) => isObject(message) && isSealed(message))
  return sealed ? 'the history holds state of another model' : undefined
}
