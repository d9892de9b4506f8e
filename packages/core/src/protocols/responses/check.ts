import { DragomanError } from '../../ir/error.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import { isEmpty, isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { exactly, withoutNeutral, type Neutral } from '../../lib/members.ts'
import { checkBody } from '../read-body.ts'
import { responsesRequest } from './schema.ts'

const REQUEST = createReader(responsesRequest)

/** Throws an error with the path if a request is invalid. The result has no members without effect. */
export function checkRequest(body: unknown): JsonObject {
  if (isObject(body)) for (const [param, why] of Object.entries(STORED)) if (body[param] != null) refuse(param, why)
  const checked = checkBody(REQUEST, body)
  if (checked['background'] === true)
    refuse('background', 'Answers are not stored here: leave it out, and read the answer or its stream.')
  const { input } = checked
  if (Array.isArray(input)) for (const [index, item] of (input as readonly Json[]).entries()) checkItem(item, index)
  return withoutNeutral(checked, NEUTRAL)
}

/** Members that need a server with a memory. */
const STORED: { readonly [member: string]: string } = {
  previous_response_id: 'Answers are not stored here: send the whole conversation as input.',
  conversation: 'Conversations are not stored here: send the whole conversation as input.',
  prompt: 'Prompts are not stored here: send instructions and input.',
}

function checkItem(item: Json, index: number): void {
  const type = isObject(item) ? item['type'] : undefined
  if (type === 'item_reference')
    refuse(
      `input[${index}]`,
      'No such item is known here: it was too long ago, or this process has not answered with it. Send the item itself; with the Vercel AI SDK, set the provider option store to false.',
    )
}

function refuse(param: string, message: string): never {
  throw new DragomanError('unsupported', `${param}: ${message}`, { param })
}

const NEUTRAL: Neutral = {
  store: () => true, // nothing is stored
  background: exactly(false),
  truncation: exactly('disabled'),
  service_tier: exactly('auto'),
  metadata: (value) => isObject(value) && isEmpty(value),
}
