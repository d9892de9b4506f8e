import type { Losses } from './loss.ts'
import type { Delivery } from './request.ts'

/** Reports the request for the usage of a stream, for protocols whose streams always end with it. The losses are those of the delivery. */
export function reportStreamUsage({ stream, usage }: Delivery, protocol: string, losses: Losses): void {
  const path = ['usage']
  const always = `${protocol} streams end with usage`
  if (!stream && usage !== undefined) losses.dropped(path, 'only streams have a choice about usage')
  else if (stream && usage === undefined) losses.added(path, true, always)
  else if (stream && !usage) losses.changed(path, true, always)
}
