import { effortQuirks, type Card, type Quirk } from '@dragoman/core/provider'
import { IMAGE_FACTS } from './image-facts.ts'
import type { ModelName } from './model-name.ts'
import { VENDOR_PRICES } from './vendor-prices.ts'

type ImageModelName = keyof typeof IMAGE_FACTS

const OLD: readonly Quirk[] = [{ verb: 'drop', at: 'reasoning', because: 'does not reason' }]

/** The lowest effort is low. Sampling settings are refused while the model reasons, and some of them always. */
const REASONING: readonly Quirk[] = [
  ...effortQuirks({ minimal: 'low' }),
  {
    verb: 'drop',
    at: ['settings.temperature', 'settings.topP', 'settings.logprobs'],
    unless: { 'reasoning.on': false },
    because: 'refuses it while it reasons',
  },
  {
    verb: 'drop',
    at: ['settings.presencePenalty', 'settings.frequencyPenalty', 'settings.logitBias'],
    because: 'refuses it on reasoning models',
  },
]

const UP_TO_XHIGH: readonly Quirk[] = [
  ...REASONING,
  { verb: 'replace', at: 'reasoning.effort', values: { max: 'xhigh' }, because: 'has no such effort' },
]

/** The newest models refuse stop sequences too. */
const NEWEST: readonly Quirk[] = [...REASONING, { verb: 'drop', at: 'settings.stop', because: 'refuses it' }]

/** They always reason, and refuse sampling settings. */
const GPT_5: readonly Quirk[] = [
  ...effortQuirks({ none: 'minimal', xhigh: 'high', max: 'high' }),
  { verb: 'drop', at: 'reasoning.on', because: 'always reasons' },
  {
    verb: 'drop',
    at: [
      'settings.temperature',
      'settings.topP',
      'settings.logprobs',
      'settings.presencePenalty',
      'settings.frequencyPenalty',
      'settings.logitBias',
    ],
    because: 'refuses it on reasoning models',
  },
]

/** They exist in the Responses API only, and always reason. */
const ONLY_RESPONSES: readonly Quirk[] = [
  {
    verb: 'drop',
    at: ['settings.temperature', 'settings.topP', 'settings.logprobs'],
    because: 'refuses it on reasoning models',
  },
]

/** No effort below medium. */
const PRO: readonly Quirk[] = [
  leastEffort('medium'),
  ...effortQuirks({ none: 'medium', minimal: 'medium', low: 'medium', max: 'xhigh' }),
  ...ONLY_RESPONSES,
]

/** Efforts from low to xhigh. */
const CODEX: readonly Quirk[] = [
  leastEffort('low'),
  ...effortQuirks({ none: 'low', minimal: 'low', max: 'xhigh' }),
  ...ONLY_RESPONSES,
]

/** All efforts from low on. */
const FROM_LOW: readonly Quirk[] = [
  leastEffort('low'),
  ...effortQuirks({ none: 'low', minimal: 'low' }),
  ...ONLY_RESPONSES,
]

/** One effort only. */
const HIGH: readonly Quirk[] = [
  leastEffort('high'),
  ...effortQuirks({ none: 'high', minimal: 'high', low: 'high', medium: 'high', xhigh: 'high', max: 'high' }),
  ...ONLY_RESPONSES,
]

/** The models before GPT-5: they always reason, with three efforts. */
const O_SERIES: readonly Quirk[] = [
  leastEffort('low'),
  ...effortQuirks({ none: 'low', minimal: 'low', xhigh: 'high', max: 'high' }),
  ...ONLY_RESPONSES,
]

/** No xhigh, and they can stop reasoning. */
const GPT_5_1: readonly Quirk[] = [
  ...REASONING,
  { verb: 'replace', at: 'reasoning.effort', values: { xhigh: 'high', max: 'high' }, because: 'has no such effort' },
]

/** The efforts of a model whose reasoning cannot be switched off. */
function leastEffort(effort: string): Quirk {
  return {
    verb: 'replace',
    at: 'reasoning.on',
    values: { false: effort },
    as: 'reasoning.effort',
    because: 'always reasons',
  }
}

interface Family {
  readonly quirks: readonly Quirk[]
  /** Best first. The Responses API gives reasoning back to models that reason, so that they go on with it. */
  readonly protocols: readonly string[]
}

const BOTH = ['responses', 'chat']
const RESPONSES = ['responses']

const FAMILY_OF: { readonly [Name in Exclude<ModelName, ImageModelName>]: Family } = {
  // Since GPT-6, chat has no tools while a model reasons.
  'gpt-6-astra': { quirks: FROM_LOW, protocols: RESPONSES },
  'gpt-6.1-sol': { quirks: FROM_LOW, protocols: RESPONSES },
  'gpt-6.1-terra': { quirks: NEWEST, protocols: RESPONSES },
  'gpt-6-sol': { quirks: NEWEST, protocols: RESPONSES },
  'gpt-6-luna': { quirks: NEWEST, protocols: RESPONSES },
  // The types name only the Responses API for these models.
  'gpt-6-rosalind': { quirks: [], protocols: RESPONSES },
  'gpt-rosalind-research': { quirks: [], protocols: RESPONSES },
  'gpt-6-cyber': { quirks: [], protocols: RESPONSES },
  'gpt-5.6-cyber': { quirks: [], protocols: RESPONSES },
  'gpt-daybreak-blue-latest': { quirks: [], protocols: RESPONSES },
  'gpt-daybreak-red-latest': { quirks: [], protocols: RESPONSES },
  'gpt-5.6-sol': { quirks: NEWEST, protocols: BOTH },
  'gpt-5.6-terra': { quirks: NEWEST, protocols: BOTH },
  'gpt-5.6-luna': { quirks: NEWEST, protocols: BOTH },
  'gpt-5.5': { quirks: UP_TO_XHIGH, protocols: BOTH },
  'gpt-5.5-pro': { quirks: PRO, protocols: RESPONSES },
  'gpt-5.4': { quirks: UP_TO_XHIGH, protocols: BOTH },
  'gpt-5.4-mini': { quirks: UP_TO_XHIGH, protocols: BOTH },
  'gpt-5.4-nano': { quirks: UP_TO_XHIGH, protocols: BOTH },
  'gpt-5.3-codex': { quirks: CODEX, protocols: RESPONSES },
  'gpt-5.2': { quirks: UP_TO_XHIGH, protocols: BOTH },
  // It does not reason, and chat has settings that Responses lacks: stop sequences, seeds, penalties.
  'gpt-4.1': { quirks: OLD, protocols: ['chat', 'responses'] },
  'gpt-5': { quirks: GPT_5, protocols: BOTH },
  'gpt-5-mini': { quirks: GPT_5, protocols: BOTH },
  'gpt-5-nano': { quirks: GPT_5, protocols: BOTH },
  'gpt-5.2-pro': { quirks: PRO, protocols: RESPONSES },
  'gpt-5.1': { quirks: GPT_5_1, protocols: BOTH },
  'gpt-5-pro': { quirks: HIGH, protocols: RESPONSES },
  'o3-pro': { quirks: O_SERIES, protocols: RESPONSES },
  o3: { quirks: O_SERIES, protocols: BOTH },
  'gpt-4.1-mini': { quirks: OLD, protocols: ['chat', 'responses'] },
  'gpt-4o': { quirks: OLD, protocols: ['chat', 'responses'] },
  'gpt-4o-mini': { quirks: OLD, protocols: ['chat', 'responses'] },
}

/** The days that the types and the deprecations page announce (2026-11). */
const RETIRES: { readonly [Name in ModelName]?: string } = {
  'chatgpt-image-latest': '2026-12-01',
  'gpt-image-1.5': '2026-12-01',
  'gpt-image-1-mini': '2026-12-01',
  'gpt-5': '2026-12-11',
  'gpt-5-pro': '2026-12-11',
  'gpt-5-mini': '2026-12-11',
  'gpt-5-nano': '2026-12-11',
  o3: '2026-12-11',
  'o3-pro': '2026-12-11',
  'gpt-4.1': '2027-01-14',
  'gpt-4.1-mini': '2027-01-14',
  'gpt-4o': '2027-01-14',
  'gpt-4o-mini': '2027-01-14',
  'gpt-5.1': '2027-04-01',
  'gpt-5.3-codex': '2027-04-01',
  'gpt-5.4-nano': '2027-04-01',
}

export function withFamilies(cards: readonly (Card & { readonly name: ModelName })[]): readonly Card[] {
  return cards.map((card) => ({ ...withVendorPrices(card), ...retirementOf(card.name), ...familyOf(card.name) }))
}

function withVendorPrices(card: Card & { readonly name: ModelName }): Card {
  const { prices, otherPrices, sources = [], ...vendor } = VENDOR_PRICES[card.name]
  return {
    ...card,
    ...vendor,
    sources: [...(card.sources ?? []), ...sources],
    ...(prices === undefined ? {} : { prices: { ...card.prices, ...prices } }),
    ...(otherPrices === undefined ? {} : { otherPrices: { ...card.otherPrices, ...otherPrices } }),
  }
}

function retirementOf(name: ModelName): Pick<Card, 'retires'> {
  const retires = RETIRES[name]
  return retires === undefined ? {} : { retires }
}

function familyOf(name: ModelName): Partial<Card> {
  if (isImageModel(name)) return { image: IMAGE_FACTS[name], protocols: ['chat'] }
  const { quirks, protocols } = FAMILY_OF[name]
  return { quirks: Object.fromEntries(protocols.map((protocol) => [protocol, quirks])), protocols }
}

function isImageModel(name: ModelName): name is ImageModelName {
  return Object.hasOwn(IMAGE_FACTS, name)
}
