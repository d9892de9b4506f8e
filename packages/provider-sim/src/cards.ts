import type { Protocol } from '@dragoman/core'
import { findCodec, KINDS } from '@dragoman/core/media'
import type { Card } from '@dragoman/core/provider'
import { SIM_KINDS, type SimKind } from './media-kinds.ts'
import { createTextCard, FILM } from './models.ts'

/** All models. Most can be called in one protocol only, so that every pair of protocols can be tested. */
export function createCards(protocols: readonly Protocol[]): readonly Card[] {
  const sims: { readonly [kind: string]: SimKind } = SIM_KINDS
  const media = KINDS.flatMap(({ name }) => {
    const able = protocols.filter((protocol) => findCodec(name, protocol) !== undefined)
    return sims[name] === undefined ? FILM : able.flatMap((protocol) => sims[name]?.card(protocol.name) ?? [])
  })
  return [...protocols.map(createTextCard), ...media]
}
