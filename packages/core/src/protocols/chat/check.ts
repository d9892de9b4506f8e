import type { JsonObject } from '../../lib/json.ts'
import { checkBody } from '../check-body.ts'
import { chatRequest } from './schema.ts'

/** Throws what is wrong with a request, naming the place. */
export function checkRequest(body: unknown): JsonObject {
  return checkBody(chatRequest, body)
}

/** Members that the specification does not accept, and what to use instead. */
export const REFUSED: { readonly [member: string]: string } = {
  audio: 'answers are text here',
  modalities: 'answers are text here',
  functions: 'use tools',
  function_call: 'use tool_choice',
  prompt_cache_key: 'caching is automatic',
  prompt_cache_retention: 'caching is automatic',
  safety_identifier: 'callers are told apart by their keys',
  store: 'nothing is stored',
  service_tier: 'there is one tier',
  prediction: 'leave it out',
  seed: 'leave it out',
  user: 'callers are told apart by their keys',
  max_tokens: 'use max_completion_tokens',
}
