import {
  refuseDepth,
  translateRequest,
  type AnswerFacts,
  type JsonObject,
  type Match,
  type ModelRequest,
  type Parsed,
  type Peek,
  type Protocol,
} from '@dragoman/core'
import { fillLinks, findFeatures, findLinks, prepareQuirks } from '@dragoman/core/provider'
import { checkParsed, parseBody, refuseMembers } from '../ports/body.ts'
import { fillReferences, referencesOf } from './references.ts'
import { limitsOf, plan, type Plan } from '../models/plan.ts'
import { answerOptions, upstreamName } from '../models/route-facts.ts'
import { surveyRequest, type Survey } from './survey.ts'
import { estimateBody } from './estimate-body.ts'
import { createLinkedFiles } from './linked-files.ts'
import { guardEdits, lossOf, relayBody } from './relay-body.ts'
import {
  present,
  type BodyFacts,
  type LocalWork,
  type Prepared,
  type SentBody,
  type WorkOptions,
  type WorkRoute,
} from './request-work.ts'
import { wideQuartersOf } from './text-tokens.ts'

const WITHOUT_SEALS: Plan = { mode: 'translate', because: 'the upstream refused a seal of the history' }

const WITH_FILES: Plan = { mode: 'translate', because: 'the upstream opens no URLs of media' }

/** The peek of a body with references: nothing is known before they are filled. */
const UNKNOWN: Peek = { model: '', stream: false }

/** The prepared request of a conversation. A translated one has facts for its answer. */
export type PreparedConversation = Prepared<AnswerFacts | undefined>

/** The work on the body of a conversation. */
export function createConversationWork(
  inbound: Protocol,
  match: Match,
  { bytes }: SentBody,
  options: WorkOptions,
): LocalWork<BodyFacts, AnswerFacts | undefined> {
  let held: JsonObject | undefined
  let source: Uint8Array | undefined = bytes
  let text: Parsed | undefined
  const files = createLinkedFiles()
  const check = (body: ReturnType<typeof parseBody>): BodyFacts => {
    const { parsed, checked } = checkParsed(inbound, body)
    text = parsed
    refuseMembers(inbound, checked, options.unsupportedFields)
    held = checked
    const mayRemember = inbound.references?.allows(parsed.json)
    const { relay } = inbound
    const wide = wideQuartersOf(present(source), body.text)
    const promptTokens = estimateBody(checked, { media: relay.media, wide })
    return { peek: relay.peek(checked, match), promptTokens, mayRemember }
  }
  const decode = (): ModelRequest => inbound.request.decode(present(held), { issuer: inbound.issuer, path: match })
  const prepare = (route: WorkRoute, seals: 'without seals' | undefined): PreparedConversation => {
    const json = without(present(held), route.leftOut)
    const parsed = text
    // It is as large as the body, and another attempt does not need it.
    text = undefined
    const urls = route.card.urls?.[route.protocol.name]
    const needsFiles = (): boolean =>
      options.downloads && urls === false && findLinks(inbound, inbound, json, { urls, match }).length > 0
    const planned = seals === undefined ? plan(inbound, match, json, route) : WITHOUT_SEALS
    const chosen = planned.mode === 'relay' && needsFiles() ? WITH_FILES : planned
    if (chosen.mode === 'relay') return relayBody(inbound, { bytes: present(source), parsed, json }, route)
    guardEdits(inbound, json, route, inbound.relay.edits(json, upstreamName(route)))
    const write = (withoutSeals: boolean) =>
      translateRequest(inbound, route.protocol, json, {
        ...answerOptions(route, options),
        model: upstreamName(route),
        withoutSeals,
        limits: limitsOf(route),
        quirks: prepareQuirks(route.card.quirks?.[route.protocol.name]),
        features: findFeatures,
        urls,
        links: options.downloads ? fillLinks(route.protocol, urls, files.find) : undefined,
        match,
      })
    const { body: wire, losses: ofBody, facts } = write(seals !== undefined)
    const losses = route.leftOut === undefined ? ofBody : [...ofBody, ...lossOf(route.leftOut)]
    const body = JSON.stringify(wire)
    // A body that was relayed has no changes of a translation, such as a placeholder for a missing seal.
    const isRepaired = seals !== undefined && losses.length > 0 && plan(inbound, match, json, route).mode === 'relay'
    const isUnchanged = seals !== undefined && !isRepaired && body === JSON.stringify(write(false).body)
    const missing = files.takeMissing()
    return { plan: chosen, body, losses, lossCount: losses.length, isUnchanged, missing, asked: facts }
  }
  return {
    read() {
      const body = parseBody(inbound, present(source), options.counts)
      const references = referencesOf(inbound, body.json)
      return references === undefined ? check(body) : { peek: UNKNOWN, references }
    },
    fill(texts) {
      source = fillReferences(inbound, present(source), texts)
      return check(parseBody(inbound, source, options.counts))
    },
    prepare: (route, seals) => refuseDepth(() => prepare(route, seals)),
    supply: files.supply,
    survey: () => surveyOf(decode),
    decode,
    close() {
      held = undefined
      source = undefined
      text = undefined
      files.close()
    },
  }
}

function without(json: JsonObject, member: string | undefined): JsonObject {
  if (member === undefined) return json
  const { [member]: _, ...rest } = json
  return rest
}

/** Undefined if the request can only be relayed: then nothing is known about it. */
function surveyOf(decode: () => ModelRequest): Survey | undefined {
  try {
    return surveyRequest(decode())
  } catch {
    return undefined
  }
}
