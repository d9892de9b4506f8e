import { BUDGET_AS_EFFORT, type Card, type Quirk } from '@dragoman/core/provider'
import type { models } from './models.ts'
import { UNLISTED_TERMS, VENDOR_PRICES } from './vendor-prices.ts'

type ModelName = (typeof models)[number]['name']

const ONE_SAMPLING: Quirk = {
  verb: 'exclude',
  at: ['settings.temperature', 'settings.topP'],
  because: 'refuses both together',
}

/** Models with a thinking budget in tokens, and no efforts. */
const BUDGET: readonly Quirk[] = [
  ONE_SAMPLING,
  { verb: 'replace', at: 'reasoning.on', values: { dynamic: true }, because: 'needs a thinking budget' },
  { verb: 'drop', at: 'reasoning.effort', when: 'reasoning.budget', because: 'has a thinking budget alone' },
  { verb: 'drop', at: 'extras.messages.output_config.effort', because: 'has no efforts' },
]

const LOWEST: Quirk = {
  verb: 'replace',
  at: 'reasoning.effort',
  values: { minimal: 'low' },
  because: 'has no such effort',
}

/** Models that decide how much to think; at most an effort can be set. */
const ADAPTIVE: readonly Quirk[] = [
  BUDGET_AS_EFFORT,
  LOWEST,
  { verb: 'replace', at: 'reasoning.on', values: { true: 'dynamic' }, because: 'decides how much to think' },
  {
    verb: 'default',
    at: 'reasoning.on',
    to: 'dynamic',
    when: 'reasoning.effort',
    unless: { 'reasoning.effort': 'none' },
    because: 'decides how much to think',
  },
]

/** Models with a thinking budget, or else an effort. They have no xhigh. */
const BUDGET_OR_EFFORT: readonly Quirk[] = [
  ONE_SAMPLING,
  LOWEST,
  { verb: 'replace', at: 'reasoning.effort', values: { xhigh: 'high' }, because: 'has no such effort' },
  {
    verb: 'replace',
    at: 'reasoning.on',
    values: { true: 'dynamic' },
    unless: 'reasoning.budget',
    because: 'decides how much to think',
  },
  {
    verb: 'default',
    at: 'reasoning.on',
    to: 'dynamic',
    when: 'reasoning.effort',
    unless: 'reasoning.budget',
    because: 'decides how much to think',
  },
  {
    verb: 'replace',
    at: 'extras.messages.output_config.effort',
    values: { xhigh: 'high' },
    because: 'has no such effort',
  },
]

/** The newest models have no sampling settings. */
const UNSAMPLED: readonly Quirk[] = [
  ...ADAPTIVE,
  { verb: 'drop', at: ['settings.temperature', 'settings.topP', 'settings.topK'], because: 'refuses it' },
]

/** Without thinking, the highest efforts are refused. */
const OPUS_5: readonly Quirk[] = [
  ...UNSAMPLED,
  {
    verb: 'replace',
    at: 'extras.messages.output_config.effort',
    values: { xhigh: 'high', max: 'high' },
    when: { 'reasoning.on': false },
    because: 'refuses such an effort without thinking',
  },
]

const FAMILY_OF: { readonly [Name in ModelName]: readonly Quirk[] } = {
  'claude-opus-5': OPUS_5,
  'claude-fable-5': UNSAMPLED,
  'claude-sonnet-5': UNSAMPLED,
  'claude-opus-4.8': UNSAMPLED,
  'claude-opus-4.7': UNSAMPLED,
  'claude-sonnet-4.6': BUDGET_OR_EFFORT,
  'claude-sonnet-4.5': BUDGET,
  'claude-haiku-4.5': BUDGET,
}

/** The lines of Anthropic's model list. */
const LINE_OF: { readonly [Name in ModelName]: string } = {
  'claude-opus-5': 'opus',
  'claude-fable-5': 'fable',
  'claude-sonnet-5': 'sonnet',
  'claude-opus-4.8': 'opus',
  'claude-opus-4.7': 'opus',
  'claude-sonnet-4.6': 'sonnet',
  'claude-sonnet-4.5': 'sonnet',
  'claude-haiku-4.5': 'haiku',
}

/** Models that accept instructions in the middle of a conversation, as separate turns (2026-10). */
const WITH_SYSTEM_TURNS: ReadonlySet<ModelName> = new Set([
  'claude-opus-5',
  'claude-fable-5',
  'claude-sonnet-5',
  'claude-opus-4.8',
])

export function withFamilies(cards: readonly (Card & { readonly name: ModelName })[]): readonly Card[] {
  return cards.map((card) => ({
    ...card,
    ...VENDOR_PRICES[card.name],
    prices: { ...card.prices, ...VENDOR_PRICES[card.name].prices },
    line: LINE_OF[card.name],
    ...(card.reasoning === undefined ? {} : { reasoning: { min: 1024, ...card.reasoning } }),
    quirks: { messages: FAMILY_OF[card.name] },
    ...(WITH_SYSTEM_TURNS.has(card.name) ? { extensions: { messages: { systemTurns: true } } } : {}),
  }))
}

/**
 * Models that are newer than this package: Claude Code asks for its newest model by default. A messages request is relayed as it is, with
 * system turns, because the newest models accept them.
 */
export const UNLISTED: Card = {
  name: 'claude-*',
  input: ['text', 'image', 'file'],
  output: ['text'],
  reasoning: { min: 1024 },
  extensions: { messages: { systemTurns: true } },
  terms: UNLISTED_TERMS,
}
