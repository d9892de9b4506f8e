import { refuseDepth, type Match, type Protocol } from '@dragoman/core'
import { createLinkedFiles } from '../bodies/linked-files.ts'
import { present, type BodyFacts, type RequestWork, type WorkOptions } from '../bodies/request-work.ts'
import type { MediaBody } from './media-body.ts'
import { codecOf } from './media-codec.ts'
import { prepareMedia } from './prepare-media.ts'
import type { PreparedMedia } from './prepared-media.ts'
import type { MediaRequest, MediaRules } from './rules.ts'

/** The work on the body of a media call. */
export function createMediaWork<Request extends MediaRequest, Answer, Brief>(
  rules: MediaRules<Request, Answer, Brief>,
  inbound: Protocol,
  match: Match,
  given: MediaBody,
  options: WorkOptions,
): RequestWork<BodyFacts, PreparedMedia<Request, Brief>> {
  const files = createLinkedFiles()
  let held: MediaBody | undefined
  let tokens: number | undefined
  return {
    read() {
      const json = codecOf(rules, inbound).check(given.json, match)
      held = { ...given, json }
      tokens = rules.tokens?.(json, inbound, given.short)
      const peek = inbound.relay.peek(json, match)
      return { operation: rules.name, peek, ...(tokens === undefined ? {} : { promptTokens: tokens }) }
    },
    prepare(route) {
      const asked = { inbound, match, body: present(held), tokens, files, options }
      const prepared = refuseDepth(() => prepareMedia(rules, asked, route))
      if (rules.settle === undefined) return prepared
      return prepared instanceof Promise ? prepared.then(rules.settle) : rules.settle(prepared)
    },
    supply: files.supply,
    close() {
      held = undefined
      files.close()
    },
  }
}
