import { BUDGET_AS_EFFORT, type Card, type Quirk } from '@dragoman/core/provider'
import type { ModelName } from './model-name.ts'
import { UNLISTED_TERMS, VENDOR_PRICES } from './vendor-prices.ts'

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

/** They think always, and refuse a forced tool: the effort is the only control. */
const ALWAYS_THINKS: readonly Quirk[] = [
  {
    verb: 'replace',
    at: 'reasoning.on',
    values: { false: 'low' },
    as: 'reasoning.effort',
    because: 'always thinks',
  },
  ...UNSAMPLED,
  {
    verb: 'replace',
    at: 'toolChoice.mode',
    values: { required: 'auto' },
    because: 'cannot be forced to use a tool',
  },
]

interface Family {
  /** As Anthropic's model list names it. */
  readonly line: string
  readonly quirks: readonly Quirk[]
  /** It accepts instructions in the middle of a conversation, as separate turns (2026-10). */
  readonly systemTurns: boolean
}

/**
 * The quirks of a model of which only the name is known: a messages request is relayed as it is, with system turns, as the newest models
 * accept them.
 */
const unknown = (line: string): Family => ({ line, quirks: [], systemTurns: true })

const FAMILY_OF: { readonly [Name in ModelName]: Family } = {
  'claude-fable-5.2': unknown('fable'),
  'claude-mythos-5.2': unknown('mythos'),
  'claude-haiku-5.5': { line: 'haiku', quirks: OPUS_5, systemTurns: true },
  'claude-sonnet-5.5': { line: 'sonnet', quirks: ALWAYS_THINKS, systemTurns: true },
  'claude-opus-5.5': { line: 'opus', quirks: ALWAYS_THINKS, systemTurns: true },
  'claude-fable-5.1': { line: 'fable', quirks: ALWAYS_THINKS, systemTurns: true },
  'claude-mythos-5.1': { line: 'mythos', quirks: ALWAYS_THINKS, systemTurns: true },
  'claude-opus-5': { line: 'opus', quirks: OPUS_5, systemTurns: true },
  'claude-fable-5': { line: 'fable', quirks: UNSAMPLED, systemTurns: true },
  'claude-mythos-5': { line: 'mythos', quirks: UNSAMPLED, systemTurns: true },
  'claude-sonnet-5': { line: 'sonnet', quirks: UNSAMPLED, systemTurns: true },
  'claude-opus-4.8': { line: 'opus', quirks: UNSAMPLED, systemTurns: true },
  'claude-opus-4.7': { line: 'opus', quirks: UNSAMPLED, systemTurns: false },
  'claude-mythos-preview': { line: 'mythos', quirks: [], systemTurns: false },
  'claude-sonnet-4.6': { line: 'sonnet', quirks: BUDGET_OR_EFFORT, systemTurns: false },
  'claude-opus-4.6': { line: 'opus', quirks: BUDGET_OR_EFFORT, systemTurns: false },
  'claude-opus-4.5': { line: 'opus', quirks: BUDGET_OR_EFFORT, systemTurns: false },
  'claude-sonnet-4.5': { line: 'sonnet', quirks: BUDGET, systemTurns: false },
  'claude-haiku-4.5': { line: 'haiku', quirks: BUDGET, systemTurns: false },
}

/** The days that the SDK announces (1.8.0, 2026-11-09). */
const RETIRES: { readonly [Name in ModelName]?: string } = { 'claude-sonnet-4.5': '2026-11-30' }

export function withFamilies(cards: readonly (Card & { readonly name: ModelName })[]): readonly Card[] {
  return cards.map((card) => {
    const { prices, sources = [], ...vendor } = VENDOR_PRICES[card.name]
    const { line, quirks, systemTurns } = FAMILY_OF[card.name]
    const retires = RETIRES[card.name]
    return {
      ...card,
      ...vendor,
      ...(card.prices === undefined ? {} : { prices: { ...card.prices, ...prices } }),
      sources: [...(card.sources ?? []), ...sources],
      line,
      ...(retires === undefined ? {} : { retires }),
      ...(card.reasoning === undefined ? {} : { reasoning: { min: 1024, ...card.reasoning } }),
      quirks: { messages: quirks },
      ...(systemTurns ? { extensions: { messages: { systemTurns: true } } } : {}),
    }
  })
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
  ...UNLISTED_TERMS,
}
