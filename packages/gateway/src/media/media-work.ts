import { refuseDepth, type JsonObject, type Match, type Protocol } from '@dragoman/core'
import { codecOf } from '@dragoman/core/media'
import { estimateBody } from '../bodies/estimate-body.ts'
import { createLinkedFiles } from '../bodies/linked-files.ts'
import { present, type BodyFacts, type Prepared, type RequestWork, type WorkOptions } from '../bodies/request-work.ts'
import type { MediaBody } from './media-body.ts'
import { prepareMedia } from './prepare-media.ts'
import type { PreparedMedia } from './prepared-media.ts'
import type { MediaRules } from './rules.ts'

/** The work on the body of a media call. */
export function createMediaWork(
  rules: MediaRules,
  inbound: Protocol,
  match: Match,
  given: MediaBody,
  options: WorkOptions,
): RequestWork<BodyFacts, PreparedMedia> {
  const files = createLinkedFiles()
  let held: MediaBody | undefined
  let tokens: number | undefined
  return {
    read() {
      const json = codecOf(rules, inbound).check(given.json, match)
      held = { ...given, json }
      tokens = rules.isCounted === true ? tokensOf(json, inbound, given) : undefined
      const peek = inbound.relay.peek(json, match)
      return { operation: rules.name, peek, ...(tokens === undefined ? {} : { promptTokens: tokens }) }
    },
    prepare(route) {
      const asked = { inbound, match, body: present(held), tokens, files, options }
      const prepared = refuseDepth(() => prepareMedia(rules, asked, route))
      const settle = (made: Prepared<PreparedMedia>): Prepared<PreparedMedia> => rules.settle?.(made) ?? made
      return prepared instanceof Promise ? prepared.then(settle) : settle(prepared)
    },
    supply: files.supply,
    close() {
      held = undefined
      files.close()
    },
  }
}

function tokensOf(body: JsonObject, { relay }: Protocol, { short }: MediaBody): number {
  return estimateBody(body, { media: relay.media, whole: (text) => short.restore(text) })
}
