import { DragomanError } from '../ir/error.ts'
import type { Failure } from './transport.ts'

/** The error for a call that failed below HTTP; `begun` if a part of the response had arrived. */
export function failureError({ kind, cause }: Failure, begun: boolean): DragomanError {
  if (kind === 'timeout') return new DragomanError('timeout', 'The upstream took too long to answer.', { cause })
  if (begun) return new DragomanError('interrupted', 'The connection to the upstream broke off.', { cause })
  return new DragomanError('upstream', TEXT_OF[kind], { cause })
}

const TEXT_OF: Record<Exclude<Failure['kind'], 'timeout'>, string> = {
  refused: 'The upstream could not be reached.',
  dns: 'The upstream could not be found.',
  tls: 'No secure connection to the upstream could be made.',
  reset: 'The upstream closed the connection without an answer.',
  cancelled: 'The call to the upstream was cancelled.',
}
