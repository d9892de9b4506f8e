import { DragomanError } from '../ir/error.ts'
import type { Losses } from '../ir/loss.ts'
import type { Part } from '../ir/part.ts'
import type { ModelRequest } from '../ir/request.ts'
import type { Locate } from './locate.ts'

/**
 * Refuses a request with inline media of a type that its protocol does not list if the target has no place for it. In the turns of the
 * model, media of any type may have no place: there it is a loss.
 */
export function refuseUnplaced(
  { messages }: ModelRequest,
  losses: Losses,
  isUnlisted: (part: Part) => boolean,
  locate: Locate,
): void {
  if (!messages.some(({ parts }) => parts.some(isUnlisted))) return
  const dropped = new Set(losses.entries().map(({ kind, path }) => (kind === 'dropped' ? path.join('.') : '')))
  for (const [index, { role, parts }] of messages.entries()) {
    if (role !== 'user') continue
    for (const [position, part] of parts.entries()) {
      if (!isUnlisted(part) || part.type !== 'media' || part.source.kind !== 'base64') continue
      const path = ['messages', index, 'parts', position]
      if (!dropped.has(path.join('.')) && !dropped.has(`messages.${index}`)) continue
      const param = locate([...path, 'source', 'mime'], 'dropped').join('.')
      throw new DragomanError('invalid-request', `${param}: this model does not take ${part.source.mime}.`, { param })
    }
  }
}
