import { DragomanError } from '../../ir/error.ts'
import { checkBody } from '../read-body.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import { isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import { exactly, withoutNeutral, type Neutral } from '../../lib/members.ts'
import { messagesRequest, type MessagesRequest } from './schema.ts'

const REQUEST = createReader(messagesRequest)

/** Throws an error with the path if a request is invalid. The result has no members without effect. */
export function checkRequest(body: unknown): JsonObject {
  const checked = checkBody(REQUEST, body)
  const { thinking, max_tokens, tools, thread } = checked as MessagesRequest & { thread?: unknown } // checkBody has checked it
  if (thread !== undefined) {
    // The official SDK resends the whole conversation on exactly this code.
    throw new DragomanError('unsupported', 'thread is not supported: send the whole conversation.', {
      param: 'thread',
      details: { error_code: 'thread_unsupported_request' },
    })
  }
  if (thinking?.type === 'enabled' && thinking.budget_tokens >= max_tokens) {
    throw new DragomanError('invalid-request', 'thinking.budget_tokens must be less than max_tokens.', {
      param: 'thinking.budget_tokens',
    })
  }
  const code = tools?.findIndex((tool) => tool.type?.startsWith('code_execution_')) ?? -1
  if (code >= 0) {
    throw new DragomanError('unsupported', `tools.${code}: the code execution tool is not supported.`, {
      param: `tools.${code}`,
    })
  }
  return withoutNeutral(checked, NEUTRAL)
}

const NEUTRAL: Neutral = {
  service_tier: exactly('auto'),
  metadata: (value) => isObject(value) && isEmpty(value),
}
