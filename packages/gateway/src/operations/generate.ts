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
import { fillLinks, findFeatures, findLinks, prepareQuirks, redactError } from '@dragoman/core/provider'
import { checkParsed, parseBody, refuseMembers } from '../body.ts'
import { estimateBody } from '../bodies/estimate-body.ts'
import { wideQuartersOf } from '../bodies/text-tokens.ts'
import { createLinkedFiles } from '../bodies/linked-files.ts'
import { guardEdits, lossOf, relayBody } from '../bodies/relay-body.ts'
import {
  present,
  workRouteOf,
  type BodyFacts,
  type LocalWork,
  type Prepared,
  type WorkOptions,
  type WorkRoute,
} from '../bodies/request-work.ts'
import { fillReferences, referencesOf } from '../memory/fill-references.ts'
import { rememberItems } from '../memory/remember-items.ts'
import { limitsOf, plan, type Plan } from '../plan.ts'
import type { Route } from '../route.ts'
import { answerModel, answerOptions, redactOf, upstreamName } from '../route-facts.ts'
import { relay } from '../modes/relay.ts'
import { send } from '../modes/send.ts'
import { translate } from '../modes/translate.ts'
import { isSealRefusal } from '../modes/upstream-error.ts'
import type { Failed } from '../routing/failed.ts'
import { allowsWithoutSeals } from '../routing/fidelity.ts'
import { surveyRequest, type Survey } from '../routing/survey.ts'
import type { Next } from '../routing/next.ts'
import { whenThere } from '../when-there.ts'
import { hasConversations } from '../media/media-mode.ts'
import { unpricedTier } from '../unpriced.ts'
import { acceptPlan } from './accept-plan.ts'
import type { JsonOperation, OperationCall } from './operation.ts'
import { prepareFor } from './prepare-for.ts'

/** Generates the next turn of a conversation, whole or streamed. */
export const generate: JsonOperation = {
  name: 'generate',
  body: 'json',
  codec: 'request',
  needsKey: true,
  metered: 'usage',
  serves: ({ card }) => hasConversations(card),
  createWork: createGenerateWork,
  ask(call, route, next) {
    prepareFor(call, route, next, (prepared) =>
      ask(call, route, prepared, {
        ...next,
        failed: (failed) => askWithoutSeals(call, route, failed, next) || next.failed(failed),
      }),
    )
  },
}

function ask(call: OperationCall, route: Route, prepared: Prepared, next: Next): void {
  const { settings, exchange, match, body } = call
  const { protocol, answer } = exchange
  if (answer.over) return
  const { stream, usage } = body.peek
  const pricing = body.peek.cost === true ? protocol.relay.pricing : undefined
  const facts = pricing === undefined ? prepared.facts : withUsage(prepared.facts)
  if (!acceptPlan(call, route, prepared, next)) return
  const model = answerModel(route, match, body.peek)
  send(settings, exchange, route, {
    operation: match.operation,
    body: prepared.body,
    stream,
    createHandler: (upstreamCall) =>
      rememberItems(
        settings,
        exchange,
        body,
        facts === undefined
          ? relay(settings, protocol, route, upstreamCall, { usage, model, pricing })
          : translate(settings, protocol, route, upstreamCall, { facts, model, pricing }),
      ),
    next,
    fail: call.fail,
  })
}

/** A stream has its price beside its usage. */
function withUsage(facts: AnswerFacts | undefined): AnswerFacts | undefined {
  return facts === undefined ? undefined : { ...facts, asked: { ...facts.asked, usage: true } }
}

/** Another attempt without seals. The history may come from another model of the same domain, whose seals the upstream cannot read. */
function askWithoutSeals(call: OperationCall, route: Route, failed: Failed, next: Next): boolean {
  const { exchange, work, fail } = call
  const { error } = failed
  if (!isSealRefusal(error) || !allowsWithoutSeals(next.policy)) return false
  const again = (prepared: Prepared): void => {
    if (prepared.isUnchanged) exchange.answer.fail(redactError(error, redactOf(route)))
    else ask(call, route, prepared, next)
  }
  const workRoute = workRouteOf(route, exchange.caller, unpricedTier(exchange, route))
  whenThere(work.prepare(workRoute, 'without seals'), again, fail)
  return true
}

const WITHOUT_SEALS: Plan = { mode: 'translate', because: 'the upstream refused a seal of the history' }

const WITH_FILES: Plan = { mode: 'translate', because: 'the upstream opens no URLs of media' }

/** Of a body with references: nothing is known before they are filled. */
const UNKNOWN: Peek = { model: '', stream: false }

function createGenerateWork(inbound: Protocol, match: Match, bytes: Uint8Array, options: WorkOptions): LocalWork {
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
  const prepare = (route: WorkRoute, seals: 'without seals' | undefined): Prepared => {
    const json = without(present(held), route.leftOut)
    const parsed = text
    // As large as the body, and not needed for another attempt.
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
    return { plan: chosen, body, losses, lossCount: losses.length, isUnchanged, missing, facts }
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
