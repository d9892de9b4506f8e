import { asDragomanError, DragomanError } from '@dragoman/core'
import type { Exchange } from '../call/exchange.ts'
import { createUpstream } from '../media/create-upstream.ts'
import type { HeadOperation } from '../pipeline/operation.ts'
import { pinnedCandidate } from '../routing/pinned-candidate.ts'
import type { Plan } from '../models/plan.ts'
import type { Settings } from '../call/settings.ts'
import { readLink, TOKEN } from './result-link.ts'
import { serveBytes, serveFrom } from './serve-file.ts'

/** The file of a video, for anyone with its address. */
export const result: HeadOperation = {
  name: 'result',
  body: 'none',
  codec: 'video',
  needsKey: false,
  metered: 'nothing',
  run(settings, exchange, { query }) {
    serve(settings, exchange, query.get(TOKEN) ?? '').catch((thrown: unknown) =>
      exchange.answer.fail(asDragomanError(thrown)),
    )
  },
}

const PLAN: Plan = { mode: 'relay' }

async function serve(settings: Settings, exchange: Exchange, token: string): Promise<void> {
  const { answer, meter, protocol } = exchange
  const file = await readLink(settings, token)
  if (answer.over) return
  if (file === undefined)
    throw new DragomanError('not-found', 'There is no file at this address, or the address has expired: poll again.')
  const { task, url, index, mime = 'video/mp4' } = file
  // Its owner was allowed to use the model when the address was made.
  const route = pinnedCandidate(settings.models, task, protocol, undefined)
  meter.planned(route, PLAN, false, [])
  if (url !== undefined) return serveFrom(settings, exchange, route, { url, mime })
  const aborter = new AbortController()
  answer.onGone = () => {
    aborter.abort()
    answer.abort()
  }
  const { deadlines } = settings
  const upstream = createUpstream({ settings, route, deadlines, signal: aborter.signal })
  const opened = await route.provider.drivers?.video?.open?.(
    typeof task.token === 'string' ? {} : task.token,
    index,
    upstream,
  )
  if (opened === undefined) throw new DragomanError('not-found', 'The provider no longer has this file.')
  if ('bytes' in opened) return serveBytes(exchange, opened.bytes, opened.mime)
  serveFrom(settings, exchange, route, { url: upstream.urlOf(opened.path), mime: opened.mime })
}
