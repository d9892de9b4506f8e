import { isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import { exactly, withoutNeutral, type Neutral } from '../../lib/members.ts'
import { checkBody } from '../read-body.ts'
import { chatRequest } from './schema.ts'

const REQUEST = createReader(chatRequest)

/** Throws an error with the path if a request is invalid. The result has no members without effect. */
export function checkRequest(body: unknown): JsonObject {
  return withoutNeutral(checkBody(REQUEST, body), NEUTRAL)
}

/** Members that the specification does not accept, and their replacements. */
export const REFUSED: { readonly [member: string]: string } = {
  audio: 'answers are text here',
  modalities: 'answers are text here',
  functions: 'use tools',
  function_call: 'use tool_choice',
  prompt_cache_key: 'caching is automatic',
  prompt_cache_retention: 'caching is automatic',
  safety_identifier: 'callers are identified by their keys',
  store: 'nothing is stored',
  service_tier: 'there is one tier',
  prediction: 'leave it out',
  seed: 'leave it out',
  user: 'callers are identified by their keys',
  max_tokens: 'use max_completion_tokens',
}

const NEUTRAL: Neutral = {
  n: exactly(1),
  store: exactly(false),
  service_tier: exactly('auto'),
  modalities: (value) => Array.isArray(value) && value.length === 1 && value[0] === 'text',
  metadata: (value) => isObject(value) && isEmpty(value),
}
