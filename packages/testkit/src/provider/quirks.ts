import { composeLosses, createLosses, type Protocol, type ModelRequest } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { applyQuirks, decodeRenames, encodeRenames, type Card } from '@dragoman/core/provider'
import { describe, it } from 'vitest'
import { namesIn, request } from '../generators/request.ts'
import { mustExplain } from '../laws/honesty.ts'
import { holds, RUNS } from '../laws/runs.ts'
import { checkedAsSent, createExchange, sent, worldOf } from '../laws/subject.ts'
import { SUBJECT_OF } from '../subjects/subject-of.ts'
import { optionsFor } from './stage.ts'
import type { ProviderSubject } from './subject.ts'

/** Quirks satisfy the law of honesty: the upstream understands the original request, except for the losses in the report. */
export function describeQuirks(subject: ProviderSubject, supported: readonly string[]): void {
  const { models } = subject.create(optionsFor(subject, 'https://upstream.example'))
  const laws = supported.flatMap((name) => {
    const protocol = protocols.find((each) => each.name === name)
    if (protocol === undefined || SUBJECT_OF[name] === undefined) return []
    return distinct(models, name).map((card) => ({ model: card.name, name, card, protocol }))
  })
  if (laws.length === 0) return
  describe('quirks', () => {
    it.each(laws)('[tr.losses] report every difference in how $model understands $name', ({ card, protocol }) =>
      holds(
        request({ ...worldOf(protocol), issuer: card.issuer ?? protocol.issuer }),
        (value) => mustEncodeHonestly(protocol, card, value),
        RUNS / 5,
      ),
    )
  })
}

function mustEncodeHonestly(protocol: Protocol, card: Card, original: ModelRequest): void {
  const subject = SUBJECT_OF[protocol.name]
  if (subject === undefined) throw new Error(`${protocol.name} has no laws`)
  const quirks = card.quirks?.[protocol.name] ?? []
  const { request: quirked, losses: first } = applyQuirks(quirks, original)
  const second = createLosses()
  const exchange = createExchange(protocol, subject, {
    toward: 'upstream',
    names: namesIn(quirked),
    limits: {
      ...(card.maxOutput === undefined ? {} : { maxTokens: card.maxOutput }),
      ...(card.reasoning === undefined ? {} : { reasoning: card.reasoning }),
    },
  })
  const context = { ...exchange.encode(second), issuer: card.issuer ?? protocol.issuer }
  const wire = sent(encodeRenames(quirks, protocol.request.encode(quirked, context)))
  const path = { model: original.model, stream: original.delivery.stream }
  const reading = { ...exchange.decode, issuer: context.issuer, path }
  const understood = protocol.request.decode(checkedAsSent(protocol, subject, decodeRenames(quirks, wire)), reading)
  mustExplain(composeLosses(first, second.entries(), original), original, understood)
}

/** One card for each set of quirks. */
function distinct(models: readonly Card[], protocol: string): readonly Card[] {
  // Extensions belong to the codec, which the protocol's own suite tests.
  const found = new Map(models.map((card) => [JSON.stringify(card.quirks?.[protocol]), card]))
  return [...found.values()].filter((card) => card.quirks?.[protocol] !== undefined)
}
