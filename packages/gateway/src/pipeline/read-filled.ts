import { DragomanError } from '@dragoman/core'
import type { BodyFacts, RequestWork } from '../bodies/request-work.ts'
import type { Exchange } from '../call/exchange.ts'
import type { Settings } from '../call/settings.ts'
import { whenThere } from '../ports/when-there.ts'

/** Reads a body. If it names items of earlier answers, they replace their names first. */
export function readFilled<Facts extends BodyFacts>(
  { itemMemory, limits }: Pick<Settings, 'itemMemory' | 'limits'>,
  { caller, lease }: Partial<Pick<Exchange, 'caller' | 'lease'>>,
  work: RequestWork<Facts>,
  use: (body: Facts) => void,
  fail: (thrown: unknown) => void,
): void {
  const fill = (body: Facts): void => {
    const { references } = body
    if (references === undefined || work.fill === undefined) return use(body)
    const ids = [...new Set(references)]
    const found = itemMemory === undefined || caller === undefined ? NONE : itemMemory.find(caller.id, ids)
    const put = (texts: ReadonlyMap<string, string>): void => {
      // One item can be named many times.
      const length = references.reduce((sum, id) => sum + (texts.get(id)?.length ?? 0), 0)
      if (length > limits.body)
        throw new DragomanError('too-large', `The items that the request names have more than ${limits.body} bytes.`)
      lease?.add(length)
      whenThere(work.fill?.(texts) ?? body, use, fail)
    }
    whenThere(found, put, fail)
  }
  whenThere(work.read(), fill, fail)
}

const NONE: ReadonlyMap<string, string> = new Map()
