import { DragomanError, type ErrorKind, type JsonObject } from '@dragoman/core'
import type { TaskApi } from '@dragoman/core/provider'

/** What all tasks of Kling have in common: they are polled at the path of their submission. */
export const TASKS = {
  id: 'data.task_id',
  poll: (id, submitted) => `${submitted}/${encodeURIComponent(id)}`,
  state: 'data.task_status',
  states: { submitted: 'running', processing: 'running', succeed: 'done', failed: 'failed' },
  reason: ['data.task_status_msg', 'message'],
  // 1301 is its code for the content policy; failed tasks have only a text.
  blocking: /^1301$|risk control|sensitive|content (security|policy)/i,
  error: readError,
} as const satisfies Partial<TaskApi<unknown>>

/** Errors can come with status 200: the first two digits of their codes say what they are about. */
const KIND_OF: { readonly [digits: string]: ErrorKind } = {
  10: 'authentication',
  11: 'budget',
  12: 'invalid-request',
  13: 'rate-limit',
  50: 'upstream-error',
}

function readError({ code, message }: JsonObject): DragomanError | undefined {
  if (typeof code !== 'number' || code === 0) return undefined
  const text = typeof message === 'string' ? message : `The upstream answered with code ${code}.`
  return new DragomanError(KIND_OF[Math.floor(code / 100)] ?? 'upstream', text, { code: String(code) })
}
